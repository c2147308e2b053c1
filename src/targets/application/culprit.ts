// The resource that is to blame for an Application that is not Healthy: the one furthest down the tree, since a Deployment
// only waits for what its pod does not do.
import { z } from 'zod';
import { type Culprit, renderResource } from '../../ports/application-view.ts';
import { fields, list, optional, resourceName } from './schema.ts';

const { text, message } = fields;

const node = z.object({
  ...resourceName,
  uid: text,
  parentRefs: list(z.object({ uid: text })),
  health: optional(z.object({ status: text, message })),
  info: list(z.object({ name: text, value: message })),
});

export const resourceTree = z.object({ nodes: list(node) });

type Node = z.output<typeof node>;

/** From the worst. */
const BAD = ['Degraded', 'Unknown', 'Missing', 'Progressing', 'Suspended'];

export function culprit(given: unknown): Culprit | undefined {
  const { nodes } = resourceTree.parse(given);
  const byUid = new Map(nodes.map((one) => [one.uid, one]));
  const bad = nodes.filter((one) => BAD.includes(one.health?.status ?? ''));
  const rank = (one: Node) => [
    BAD.indexOf(one.health?.status ?? ''),
    -depth(one, byUid),
    one.health?.message || reason(one) ? 0 : 1,
  ];
  const [worst] = bad.sort((a, b) => compare(rank(a), rank(b)));
  if (!worst) return undefined;
  const { status = '', message = '' } = worst.health ?? {};
  const why = message || reason(worst);
  return { resource: renderResource(worst), message: `${status}${why ? `: ${why}` : ''}` };
}

/** What Argo CD shows beside a pod: ImagePullBackOff, CrashLoopBackOff. */
function reason({ info }: Node): string {
  const shown = info.filter(({ name }) => name === 'Status Reason' || name === 'Containers');
  return shown
    .map(({ name, value }) => (name === 'Containers' ? `${value} containers ready` : value))
    .join(', ');
}

function depth(one: Node, byUid: ReadonlyMap<string, Node>): number {
  let steps = 0;
  for (let at: Node | undefined = one; at && steps < byUid.size; steps++) {
    at = byUid.get(at.parentRefs[0]?.uid ?? '');
  }
  return steps;
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}
