// What tests of other clusters share: a shop whose members are elsewhere, and what is asked of which cluster.
import type { Carried } from '../../../src/rehearsal/rehearsal.ts';
import type { KubeObject, Objects } from '../../../src/simulator/cluster/object-store.ts';
import { DeployedShop, ELSEWHERE, type Folders, sendElsewhere } from './deployed-shop.ts';

export const MEMBERS = ['dns', 'ingress', 'operator', 'db', 'api', 'site'];
export const THIRD = 'https://third.example:6443';

/** All members are elsewhere, and the context reaches that cluster. */
export async function reached(folders?: Folders): Promise<DeployedShop> {
  const shop = await DeployedShop.synced(folders, sendElsewhere(MEMBERS));
  shop.contexts = new Map([[ELSEWHERE, ELSEWHERE]]);
  return shop;
}

export const named = (
  objects: Objects,
  isIt: (object: KubeObject) => boolean = () => true,
): string[] =>
  objects
    .all()
    .filter((one) => one.kind !== 'PersistentVolume' && isIt(one))
    .map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    .sort();

/** What is asked, by cluster, beside Applications, what runs write, who a cluster is and which kinds there are. */
export function asked(shop: DeployedShop, of: (carried: Carried) => boolean): string[] {
  const all: string[] = [];
  shop.rehearsal.onRequest((carried) => {
    const { method, path } = carried.request;
    const [plain = ''] = path.split('?');
    const isOfArgo = /\/namespaces\/(argocd(\/|$)|kube-system$)/.test(plain);
    const isQuestion = plain.endsWith('accessreviews') || /^\/apis?(\/[^/]+){0,2}$/.test(plain);
    if (of(carried) && !isOfArgo && !isQuestion) all.push(`${method} ${plain}`);
  });
  return all;
}

export const isHere = ({ cluster }: Carried) => cluster === '';
export const isWrite = ({ request }: Carried) =>
  request.method !== 'GET' && !request.path.endsWith('accessreviews');
