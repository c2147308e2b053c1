// A namespace goes only where it is certain that nothing is in it.
import { expect, test, vi } from 'vitest';
import type { KubeObject } from '../../../src/simulator/cluster/object-store.ts';
import type { TransportAnswer } from '../../../src/targets/transport.ts';
import { DeployedShop } from './deployed-shop.ts';

vi.setConfig({ testTimeout: 60_000 });

const GATEWAY = 'gateway.networking.k8s.io';
const route = (namespace: string): KubeObject => ({
  ...{ apiVersion: `${GATEWAY}/v1`, kind: 'HTTPRoute', metadata: { name: 'route', namespace } },
});
const grant = (namespace: string): KubeObject => ({
  ...{ apiVersion: `${GATEWAY}/v1beta1`, kind: 'ReferenceGrant' },
  metadata: { name: 'grant', namespace },
});

/** The cluster has kinds of that group in two versions. */
async function shopWith(...objects: readonly KubeObject[]): Promise<DeployedShop> {
  const shop = await DeployedShop.create({});
  for (const object of [route('argocd'), grant('argocd'), ...objects])
    shop.rehearsal.objects.create(object);
  return shop;
}

async function downWith(
  shop: DeployedShop,
  answer: (path: string) => Partial<TransportAnswer> | undefined,
) {
  const approved = await shop.until(shop.look());
  const disturbed = shop.connect('one', (transport) => ({
    ...transport,
    send: async (request) => {
      const given = answer(request.path.split('?')[0] ?? '');
      return given
        ? { status: 200, text: '{}', retryAfter: undefined, ...given }
        : await transport.send(request);
    },
  }));
  const report = await shop.until(shop.takeDown(approved, disturbed));
  const why = report.leftovers?.find(({ resource }) => resource.name === 'platform')?.why;
  return { report, why };
}

test('what is served at a version of its own is seen', async () => {
  const shop = await shopWith(grant('platform'));
  const { report, why } = await downWith(shop, () => undefined);
  expect(report.exitStatus).toBe(2);
  expect(why).toBe(`${GATEWAY}/ReferenceGrant platform/grant is in it`);
  expect(shop.exists('Namespace', 'platform')).toBe(true);
});

test('what stays in it is looked at a few times, not each second', async () => {
  const shop = await shopWith(grant('platform'));
  let looks = 0;
  await downWith(shop, (path) => {
    if (path.endsWith('/namespaces/platform/referencegrants')) looks++;
    return undefined;
  });
  expect(looks).toBeGreaterThan(3);
  expect(looks).toBeLessThan(10);
});

test('with nothing in it, it goes', async () => {
  const shop = await shopWith();
  const { report } = await downWith(shop, () => undefined);
  expect(report.exitStatus).toBe(0);
  expect(shop.exists('Namespace', 'platform')).toBe(false);
});

const REFUSED = { message: 'no' };
test.each<[string, string, Partial<TransportAnswer>]>([
  [
    'a kind that may not be listed',
    `/apis/${GATEWAY}/v1beta1/namespaces/platform/referencegrants`,
    { status: 403 },
  ],
  [
    'a kind that is not found',
    `/apis/${GATEWAY}/v1beta1/namespaces/platform/referencegrants`,
    { status: 404 },
  ],
  ['a version that does not answer', `/apis/${GATEWAY}/v1beta1`, { status: 503 }],
  ['a version that is not found', `/apis/${GATEWAY}/v1beta1`, { status: 404 }],
  ['a version that says nothing', `/apis/${GATEWAY}/v1beta1`, { text: '[]' }],
])('%s keeps it', async (_, path, answer) => {
  const shop = await shopWith(grant('platform'));
  const { report, why } = await downWith(shop, (asked) =>
    asked === path ? { text: JSON.stringify(REFUSED), ...answer } : undefined,
  );
  expect(report.exitStatus).toBe(2);
  expect(why).toContain('its contents are unknown');
  expect(why).toContain(GATEWAY);
  expect(shop.exists('Namespace', 'platform')).toBe(true);
});
