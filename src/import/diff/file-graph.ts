// The graph of a platform file by the Applications that Argo CD has, generated ones included.
import { idOf } from '../../graph/graph.ts';
import { reach } from '../../graph/reach.ts';
import { buildPlan } from '../../plan/build-plan.ts';
import { selectedOf } from '../../plan/generated.ts';
import type { PlanNode } from '../../plan/plan.ts';
import {
  CLOSE_PLATFORM,
  closeOf,
  OPEN_PLATFORM,
  openOf,
  type PlatformGraph,
} from '../../plan/platform-graph.ts';
import type { ApplicationMaterial } from '../material.ts';

/** What stands for an Application: the node where it begins, and the node that who needs it waits for. */
export interface FileNode {
  readonly begins: string;
  readonly ends: string;
  /** app:NAME, stack:NAME or platform. */
  readonly owner: string;
}

export interface FileGraph {
  /** By the name of the Application. */
  readonly nodes: ReadonlyMap<string, FileNode>;
  /** The Applications of an owner. */
  readonly members: ReadonlyMap<string, readonly string[]>;
  /** In the file, and nowhere else. */
  readonly gone: readonly { readonly name: string; readonly owner: string }[];
  /** Whether one node waits for another, however far away. */
  readonly waits: (node: string, other: string) => boolean;
}

export function fileGraph(
  compiled: PlatformGraph,
  applications: readonly ApplicationMaterial[],
): FileGraph {
  const { graph, platform } = compiled;
  const there = new Set(applications.map(({ name }) => name));
  const nodes = new Map<string, FileNode>();
  const gone: { name: string; owner: string }[] = [];
  const add = (name: string, node: FileNode) => {
    nodes.set(name, node);
    if (!there.has(name)) gone.push({ name, owner: node.owner });
  };
  if (platform.address) {
    add(platform.address.name, { begins: OPEN_PLATFORM, ends: CLOSE_PLATFORM, owner: 'platform' });
  }
  for (const { name, address } of platform.stacks) {
    const node = { begins: openOf(name), ends: closeOf(name), owner: `stack:${name}` };
    if (address) add(address.name, node);
  }
  for (const node of buildPlan(compiled, { action: 'deploy' }).nodes) {
    if (node.kind !== 'application') continue;
    const place = { begins: node.id, ends: node.id, owner: node.id };
    if (!node.generated) {
      add(node.application ?? '', place);
      continue;
    }
    const made = madeBy(node, applications);
    for (const name of made) nodes.set(name, place);
    if (made.length < node.generated.atLeast)
      gone.push({ name: node.id.slice('app:'.length), owner: node.id });
  }
  return { nodes, members: membersOf(compiled, nodes), gone, waits: waitsIn(graph) };
}

function madeBy(node: PlanNode, applications: readonly ApplicationMaterial[]): string[] {
  const namespace = node.argocd?.namespace ?? '';
  const views = applications.map(({ name, project, labels, applicationSet }) => ({
    ...{ name, namespace, project, applicationSet },
    labels: new Map(Object.entries(labels)),
  }));
  return selectedOf(node, views).map(({ name }) => name);
}

/** A stack has what is inside it, and inside its stacks. */
function membersOf(
  { platform, graph }: PlatformGraph,
  nodes: ReadonlyMap<string, FileNode>,
): ReadonlyMap<string, readonly string[]> {
  const members = new Map<string, string[]>();
  const inside = new Map<string, string | undefined>();
  for (const { name, parent, applications } of platform.stacks) {
    inside.set(`stack:${name}`, parent === undefined ? undefined : `stack:${parent}`);
    for (const application of applications) inside.set(`app:${application.name}`, `stack:${name}`);
  }
  for (const [name, { owner }] of nodes) {
    let at: string | undefined = owner;
    for (let depth = 0; at !== undefined && depth <= graph.ids.length; depth++) {
      members.set(at, [...(members.get(at) ?? []), name]);
      at = inside.get(at);
    }
  }
  return members;
}

function waitsIn(graph: PlatformGraph['graph']): FileGraph['waits'] {
  const reached = new Map<string, ReadonlySet<string>>();
  return (node, other) => {
    const found = reached.get(node) ?? reachedFrom(graph, node);
    reached.set(node, found);
    return found.has(other);
  };
}

function reachedFrom(graph: PlatformGraph['graph'], node: string): ReadonlySet<string> {
  const number = graph.numbers.get(node);
  if (number === undefined) return new Set();
  const marked = reach(graph.dependencies, [number]);
  const found = new Set<string>();
  for (const [at, mark] of marked.entries()) if (mark === 1) found.add(idOf(graph, at));
  return found;
}
