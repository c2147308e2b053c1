// An inventory for people who are to approve it: what goes and what stays of each application, what is in the way.
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
import { renderLines, renderParts } from './lines.ts';
import { plural } from './table.ts';

/** With `all`, every object by its name; else by kind, but for those that stay. */
export function renderInventory(inventory: Inventory, { all }: { all: boolean }): string {
  const { applications, platform, volumes } = inventory;
  const objects = applications.reduce((sum, { deletes }) => sum + deletes.length, 0);
  const size =
    applications.length === 0
      ? 'nothing'
      : `${plural(applications.length, 'Application')}, ${plural(objects, 'object')} to delete, volumes: ${volumes}`;
  return renderParts([
    renderLines([`The cluster has of "${platform}": ${size}`]),
    ...applications.map((application) => renderApplication(application, inventory, all)),
    general(inventory),
    findings('warning', inventory.warnings),
    findings('refused', inventory.refusals),
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
    `${name}${own}  uid ${uid}${deleting ? ', is being deleted' : ''}`,
    ...lines('cluster', renderCluster(application, inventory)),
    ...(gone.length > 0 ? lines('deletes', all ? gone : [gone.join(', ')]) : []),
    ...lines('stays', keeps.map(withReason)),
    ...lines('finalizer', finalizers.map(renderFinalizer)),
    ...lines(
      'outside',
      loadBalancers.map((one) => `${renderResource(one)}: a load balancer`),
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
  return [`${destination}: ${same}looked at through the context "${reached.context}"`];
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

const UNKNOWN = 'served by nobody that goes, as far as can be seen';

function general(inventory: Inventory): string {
  const { gone, left = [], makers, namespaces, definitions, snapshots, operations } = inventory;
  const staying = namespaces.flatMap((one) =>
    one.why === null ? [] : [`${nameOf(one)} (${one.why})`],
  );
  const going = namespaces.filter(({ why }) => why === null).map(nameOf);
  const facts = [
    ['Gone already', gone.map(shortName)],
    ['Left for tiphys teardown --primitives', left.map(nameOf)],
    ['Stopped first', makers.map(renderMaker)],
    ['Operations in flight, which may still change it', operations.map(shortName)],
    ['Snapshots taken before', snapshots.map((one) => `${one.namespace}/${nameOf(one)}`)],
    ['Definitions that go at last, if no object of their kind is left', definitions.map(nameOf)],
    ['Namespaces that go at last, if nothing is left in them', going],
    ['Namespaces that stay, made by CreateNamespace=true', staying],
  ] as const;
  const known = facts.filter(([, texts]) => texts.length > 0);
  return renderLines(known.map(([title, texts]) => `${title}: ${texts.join(', ')}`));
}

const nameOf = ({ name, cluster }: { readonly name: string; readonly cluster?: string }) =>
  cluster === undefined ? name : `${name} in ${cluster}`;

function renderMaker({ kind, name, makes }: Maker): string {
  return `${kind} ${name} (would make again: ${makes.join(', ')})`;
}

function findings(word: string, all: readonly Finding[]): string {
  return renderLines(
    all.flatMap(({ code, message, hint }) => [`${word}[${code}]: ${message}`, `  hint: ${hint}`]),
  );
}
