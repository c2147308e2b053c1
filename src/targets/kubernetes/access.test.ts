// Who the user is, as Kubernetes says it, and for how long that is waited for.
import { expect, test } from 'vitest';
import { FakeTransport, failure, json } from '../../../test/fakes/transport.ts';
import { VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { whoAmI } from './access.ts';
import { kubernetesApi } from './api.ts';

test('the name that Kubernetes answers with', async () => {
  const transport = new FakeTransport(() =>
    json({ status: { userInfo: { username: 'jane' } } }, 201),
  );
  const api = kubernetesApi(transport, { clock: new VirtualClock(), random: () => 0 });
  expect(await whoAmI(api, 3_000)).toBe('jane');
  expect(transport.requests).toMatchObject([{ method: 'POST', deadline: 3_000 }]);
});

test('a server in trouble is given up within the time', async () => {
  const transport = new FakeTransport(() => failure('unreachable'));
  const clock = new VirtualClock();
  const api = kubernetesApi(transport, { clock, random: () => 0.5 });
  const begun = clock.monotonic();
  await expect(clock.until(whoAmI(api, 3_000))).rejects.toThrow();
  expect(clock.monotonic() - begun).toBeLessThanOrEqual(3_000);
});
