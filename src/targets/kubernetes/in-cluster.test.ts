import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { MACHINE } from '../../../test/fakes/machine.ts';
import { VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { kubernetesCredentials } from './credentials.ts';
import { inClusterCredentials, inClusterKubeconfig } from './in-cluster.ts';

const folder = mkdtempSync(join(tmpdir(), 'tiphys-account-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('the token is read again after a while, and when it is not accepted any more', async () => {
  const write = (token: string) => writeFileSync(join(folder, 'token'), `${token}\n`);
  writeFileSync(join(folder, 'ca.crt'), 'PEM');
  write('one');
  const clock = new VirtualClock();
  const { access, renew } = inClusterCredentials({ host: '10.0.0.1', port: '443', folder }, clock);
  const token = async () => (await access()).headers.authorization;
  expect(await access()).toMatchObject({
    server: 'https://10.0.0.1:443',
    headers: { authorization: 'Bearer one' },
    tls: { ca: 'PEM', insecure: false },
  });
  write('two');
  expect(await token()).toBe('Bearer one');
  await clock.advance(31_000);
  expect(await token()).toBe('Bearer two');
  write('three');
  renew();
  expect(await token()).toBe('Bearer three');
});

test('an address of version 6 is in brackets; a pod without an account is told as that', async () => {
  const clock = new VirtualClock();
  const six = inClusterCredentials({ host: 'fd00::1', port: '443', folder }, clock);
  expect((await six.access()).server).toBe('https://[fd00::1]:443');
  const none = inClusterCredentials({ host: 'a', port: '1', folder: '/nowhere' }, clock);
  await expect(none.access()).rejects.toMatchObject({ exitStatus: 3 });
});

test('for programs that want a kubeconfig it says where the token is, and not what it is', async () => {
  const clock = new VirtualClock();
  writeFileSync(join(folder, 'token'), 'one-that-is-secret\n');
  writeFileSync(join(folder, 'ca.crt'), 'PEM');
  const text = inClusterKubeconfig({ host: 'fd00::1', port: '6443', folder });
  expect(text).not.toContain('one-that-is-secret');
  const { access } = await kubernetesCredentials(
    { ...MACHINE, kubeconfig: undefined, context: undefined, text },
    clock,
  );
  expect(await access()).toMatchObject({
    server: 'https://[fd00::1]:6443',
    headers: { Authorization: 'Bearer one-that-is-secret' },
  });
});
