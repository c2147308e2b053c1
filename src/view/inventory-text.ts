// An inventory as text, for approval: what is deleted and kept for each application, and what blocks the teardown.
import {
  type Finding,
  type Inventory,
  type InventoryApplication,
  type Maker,
  reachedAs,
  type ServedFinalizer,
} from '../inventory/inventory.ts';
import { shortName } from '../plan/platform-graph.ts';
import { type ResourceName, renderResource } from '../ports/application-view.ts';
import { type Look, PLAIN, renderLines, renderParts, type Text } from './lines.ts';
import { plural } from './table.ts';
import { hint as hintLine, strong } from './tone.ts';

/** With `all`, every object by name; otherwise by kind, except for kept objects. */
export function renderInventory(
  inventory: Inventory,
  { all, look = PLAIN }: { all: boolean; look?: Look },
): string {
  const { applications, platform, volumes } = inventory;
  const objects = applications.reduce((sum, { deletes }) => sum + deletes.length, 0);
  const size =
    applications.length === 0
      ? 'nothing'
      : `${plural(applications.length, 'Application')} and ${plural(objects, 'object')} to delete, volumes: ${volumes}`;
  return renderParts([
    renderLines([strong(`Inventory of "${platform}" in the cluster: ${size}`)], look),
    ...applications.map((application) => renderApplication(application, inventory, all)),
    general(inventory),
    findings('warning', inventory.warnings, look),
    findings('refused', inventory.refusals, look),
    renderLines([`inventory ${inventory.hash}`]),
  ]);
}

function renderApplication(
  application: InventoryApplication,
  inventory: Inventory,
  all: boolean,
): string {
  const { id, name, uid, deleting, deletes, keeps } = application;
  const { finalizers, loadBalancers } = application;
  const own = shortName(id) === name ? '' : ` (${shortName(id)})`;
  const gone = all ? deletes.map(withReason) : byKind(deletes);
  return renderLines([
    `${name}${own}  uid ${uid}${deleting ? ', deletion in progress' : ''}`,
    ...lines('cluster', renderCluster(application, inventory)),
    ...(gone.length > 0 ? lines('deletes', all ? gone : [gone.join(', ')]) : []),
    ...lines('keeps', keeps.map(withReason)),
    ...lines('finalizer', finalizers.map(renderFinalizer)),
    ...lines(
      'outside',
      loadBalancers.map((one) => `${renderResource(one)}: load balancer`),
    ),
  ]);
}

function renderCluster(
  { destination, cluster }: InventoryApplication,
  inventory: Inventory,
): string[] {
  if (destination === null) return [];
  if (cluster === undefined) return [`${destination}: managed through Argo CD only`];
  const reached = reachedAs(inventory, cluster);
  if (!reached) return [`${destination}: Argo CD's own`];
  const same = cluster === destination ? '' : `the same as ${cluster}, `;
  return [`${destination}: ${same}read with the context "${reached.context}"`];
}

function lines(title: string, texts: readonly string[]): string[] {
  return texts.map((text, at) => `  ${(at === 0 ? title : '').padEnd(9)}  ${text}`);
}

function withReason(resource: ResourceName & { readonly why: string | null }): string {
  return `${renderResource(resource)}${resource.why === null ? '' : `: ${resource.why}`}`;
}

function byKind(resources: readonly ResourceName[]): string[] {
  const counts = new Map<string, number>();
  for (const { group, kind } of resources) {
    const key = group ? `${group}/${kind}` : kind;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].map(([kind, count]) => `${count} ${kind}`);
}

function renderFinalizer({ resource, finalizer, servedBy }: ServedFinalizer): string {
  const who = servedBy.length > 0 ? `probably served by ${servedBy.join(', ')}` : UNKNOWN;
  return `${renderResource(resource)}: ${finalizer}, ${who}`;
}

const UNKNOWN = 'no known controller';

function general(inventory: Inventory): string {
  const { gone, left = [], makers, namespaces, definitions, snapshots, operations } = inventory;
  const staying = namespaces.flatMap((one) =>
    one.why === null ? [] : [`${nameOf(one)} (${one.why})`],
  );
  const going = namespaces.filter(({ why }) => why === null).map(nameOf);
  const facts = [
    ['Already deleted', gone.map(shortName)],
    ['Kept for tiphys teardown --primitives', left.map(nameOf)],
    ['Deleted first, without their Applications', makers.map(renderMaker)],
    ['Operations in progress, which may still change the inventory', operations.map(shortName)],
    ['Snapshots to take first', snapshots.map((one) => `${one.namespace}/${nameOf(one)}`)],
    [
      'CustomResourceDefinitions deleted last, if no object of their kind is left',
      definitions.map(nameOf),
    ],
    ['Namespaces deleted last, if empty', going],
    ['Namespaces kept, created by CreateNamespace=true', staying],
  ] as const;
  const known = facts.filter(([, texts]) => texts.length > 0);
  return renderLines(known.map(([title, texts]) => `${title}: ${texts.join(', ')}`));
}

const nameOf = ({ name, cluster }: { readonly name: string; readonly cluster?: string }) =>
  cluster === undefined ? name : `${name} in ${cluster}`;

function renderMaker({ kind, name, makes }: Maker): string {
  return `${kind} ${name} (would recreate: ${makes.join(', ')})`;
}

const FINDING_TONES = { warning: 'busy', refused: 'bad' } as const;

function findings(word: 'warning' | 'refused', all: readonly Finding[], look: Look): string {
  const lines = all.flatMap(({ code, message, hint }): Text[] => [
    [{ text: `${word}[${code}]:`, tone: FINDING_TONES[word] }, ` ${message}`],
    hintLine(hint),
  ]);
  return renderLines(lines, look);
}
