// Builds the graph of nodes for a platform. Every stack has an open node, which its members depend on, and a close node,
// which depends on the members and on the stacks inside it; the platform has the same for its stacks. A dependency on a
// stack is a dependency on its close node.
import { buildGraph, type Graph } from '../graph/graph.ts';
import type { Reference } from '../model/names.ts';
import type { Application, Platform, Stack } from '../model/platform.ts';

/** What a node of the graph represents. */
export type Subject =
  | { readonly kind: 'application'; readonly stack: Stack; readonly application: Application }
  | { readonly kind: 'open' | 'close'; readonly stack: Stack | undefined };

export interface PlatformGraph {
  readonly platform: Platform;
  /** For a deployment: which node must be Healthy before which. */
  readonly graph: Graph;
  readonly subjects: ReadonlyMap<string, Subject>;
}

export const openOf = (stack: string): string => `open:stack:${stack}`;
export const closeOf = (stack: string): string => `close:stack:${stack}`;
export const nodeOf = (application: string): string => `app:${application}`;
export const OPEN_PLATFORM = 'open:platform';
export const CLOSE_PLATFORM = 'close:platform';

/** The open node of a close node: the stack's, or the platform's. */
export const openIdOf = ({ stack }: { readonly stack: string | null }): string =>
  stack === null ? OPEN_PLATFORM : openOf(stack);

export function buildPlatformGraph(platform: Platform): PlatformGraph {
  const subjects = new Map<string, Subject>();
  const dependencies = new Map<string, string[]>();
  const add = (id: string, subject: Subject, dependsOn: string[]) => {
    subjects.set(id, subject);
    dependencies.set(id, dependsOn);
  };
  const closesIn = closesByParent(platform);
  add(OPEN_PLATFORM, { kind: 'open', stack: undefined }, []);
  for (const stack of platform.stacks) {
    const [open, close] = [openOf(stack.name), closeOf(stack.name)];
    const around = stack.parent === undefined ? OPEN_PLATFORM : openOf(stack.parent);
    add(open, { kind: 'open', stack }, [around, ...stack.dependsOn.map(targetOf)]);
    for (const application of stack.applications) {
      const dependsOn = [open, ...application.dependsOn.map(targetOf)];
      add(nodeOf(application.name), { kind: 'application', stack, application }, dependsOn);
    }
    const members = stack.applications.map(({ name }) => nodeOf(name));
    const inside = [...members, ...(closesIn.get(stack.name) ?? [])];
    add(close, { kind: 'close', stack }, inside.length > 0 ? inside : [open]);
  }
  const closes = closesIn.get(undefined) ?? [];
  const last = closes.length > 0 ? closes : [OPEN_PLATFORM];
  add(CLOSE_PLATFORM, { kind: 'close', stack: undefined }, last);
  return { platform, graph: buildGraph(dependencies), subjects };
}

/** The stacks directly inside a stack; those of the platform under undefined. */
function closesByParent({ stacks }: Platform): ReadonlyMap<string | undefined, string[]> {
  const closes = new Map<string | undefined, string[]>();
  for (const { name, parent } of stacks) {
    const found = closes.get(parent);
    if (found) found.push(closeOf(name));
    else closes.set(parent, [closeOf(name)]);
  }
  return closes;
}

/** The node that a dependency waits for. */
export function targetOf(reference: Reference): string {
  switch (reference.kind) {
    case 'platform':
      return CLOSE_PLATFORM;
    case 'stack':
      return closeOf(reference.name);
    case 'app':
      return nodeOf(reference.name);
  }
}

/**
 * The name of a node in every text for people: app:x -> x; open:stack:x and close:stack:x -> stack:x; open:platform and
 * close:platform -> platform. An application with such a name keeps its prefix.
 */
export function shortName(id: string): string {
  return id === 'app:platform' ? id : id.replace(/^(?:app|open|close):/, '');
}
