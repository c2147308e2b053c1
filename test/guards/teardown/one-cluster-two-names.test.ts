// Destinations that call one cluster by two names, without a context that shows it: a Namespace that goes by one name takes
// along what is in it by the other.
import { expect, test, vi } from 'vitest';
import { CLAIM, DeployedShop, ELSEWHERE, type Folders, send } from './deployed-shop.ts';

vi.setConfig({ testTimeout: 60_000 });

const NAMESPACE = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'vault' } };
const KEPT = { ...CLAIM, metadata: { ...CLAIM.metadata, namespace: 'vault' } };
const FOLDERS: Folders = { site: [NAMESPACE], api: [KEPT] };

/** `to`: the clusters of `site`, which has the Namespace, and of `api`, which has the claim. */
function shopIn(
  to: Readonly<Record<string, string>>,
  aliases: Readonly<Record<string, string>>,
): Promise<DeployedShop> {
  return DeployedShop.synced(FOLDERS, (rehearsal) => {
    rehearsal.cluster(ELSEWHERE);
    for (const [name, cluster] of Object.entries(aliases)) rehearsal.alias(name, cluster);
    send((name) => to[name])(rehearsal);
  });
}

const refusals = async (shop: DeployedShop) =>
  (await shop.until(shop.look())).refusals.map(({ code, node }) => `${code} ${node}`);

test('a claim that says that it stays is refused where its Namespace may go', async () => {
  const shop = await shopIn({ site: 'spoke', api: ELSEWHERE }, { spoke: ELSEWHERE });
  expect(await refusals(shop)).toEqual(['volume-deleted app:api']);
});

test.each(['site', 'api'])(
  'so it is where Argo CD’s own cluster has two names: %s',
  async (one) => {
    const shop = await shopIn({ [one]: 'spoke' }, { spoke: '' });
    expect(await refusals(shop)).toEqual(['volume-deleted app:api']);
  },
);
