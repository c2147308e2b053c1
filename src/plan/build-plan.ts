// Builds the plan for one action and scope. Pure: the same platform gives the same bytes.

import { criticalPath } from '../graph/critical-path.ts';
import { type Graph, idOf, transpose } from '../graph/graph.ts';
import { longestBefore, topologicalOrder } from '../graph/order.ts';
import { dependenciesAmong } from '../graph/reach.ts';
import { API_VERSION } from '../model/api-version.ts';
import type { Generated } from '../model/generator-keys.ts';
import { renderReference } from '../model/names.ts';
import type { ApplicationAddress, Platform } from '../model/platform.ts';
import { type Settings, withoutQuestions } from '../model/settings.ts';
import { hashOf } from './canonical.ts';
import type { Action, Plan, PlanNode } from './plan.ts';
import type { PlatformGraph, Subject } from './platform-graph.ts';
import { parseScope, type Selection, select } from './scope.ts';

export interface PlanOptions {
  readonly action: Action;
  /** References as users write them; none means the platform. */
  readonly scope?: readonly string[];
  /** Includes the dependencies of the scope; for a teardown, its dependents. */
  readonly withDependencies?: boolean;
}

/** The expected time until Argo CD has accepted a parent's operation and created the children. */
const OPEN_DURATION = 5;

export function buildPlan(compiled: PlatformGraph, options: PlanOptions): Plan {
  const { action } = options;
  const { platform } = compiled;
  const graph = action === 'deploy' ? compiled.graph : transpose(compiled.graph);
  const scope = parseScope(options.scope ?? [], compiled);
  const selection = select(graph, compiled, scope, options.withDependencies ?? false);
  const work = (node: number): Work => workOf(subjectOf(compiled, graph, node), action, platform);
  const content = {
    apiVersion: API_VERSION,
    kind: 'Plan',
    action,
    platform: platform.name,
    scope: scope.map(renderReference),
    concurrency: platform.concurrency,
    runTimeout: platform.runTimeout,
    ...(platform.requestTimeout === undefined ? {} : { requestTimeout: platform.requestTimeout }),
    requires: requiredIds(graph, selection, work, action),
    ...arrange(graph, selection, work, action),
  } as const;
  return { ...content, hash: hashOf(content) };
}

/** The action at a node. */
interface Work {
  readonly kind: PlanNode['kind'];
  readonly stack: string | null;
  readonly address: ApplicationAddress | undefined;
  readonly generated?: Generated | undefined;
  readonly settings: Settings;
  readonly expectedDuration: number;
}

function subjectOf(compiled: PlatformGraph, graph: Graph, node: number): Subject {
  const subject = compiled.subjects.get(idOf(graph, node));
  if (!subject) throw new Error(`No subject for node ${idOf(graph, node)}.`);
  return subject;
}

/**
 * A parent's Application is synced at open and judged at close; a teardown deletes it at open, the last node of its stack.
 */
function workOf(subject: Subject, action: Action, platform: Platform): Work {
  const { kind } = subject;
  if (subject.kind === 'application') {
    const { settings, address, generated } = subject.application;
    const { expectedDuration } = settings;
    return { kind, stack: subject.stack.name, address, generated, settings, expectedDuration };
  }
  const owner = subject.stack ?? platform;
  const address = action === 'teardown' && kind === 'close' ? undefined : owner.address;
  const { settings } = owner;
  const busy = kind === 'open' ? OPEN_DURATION : settings.gate.dwell;
  const stack = subject.stack?.name ?? null;
  return { kind, stack, address, settings, expectedDuration: address ? busy : 0 };
}

/** An open node has no gate, and a deletion needs no approval and no probe. */
const asks = (kind: PlanNode['kind'], action: Action): boolean =>
  action === 'deploy' && kind !== 'open';

function arrange(
  graph: Graph,
  { inside }: Selection,
  work: (node: number) => Work,
  action: Action,
) {
  const order = topologicalOrder(graph);
  const chosen = order.filter((node) => inside[node] === 1);
  const works = new Map([...chosen].map((node) => [node, work(node)]));
  const duration = (node: number) => works.get(node)?.expectedDuration ?? 0;
  const layers = longestBefore(graph, order, (n) => (works.get(n)?.kind === 'application' ? 1 : 0));
  const depths = longestBefore(graph, order, () => 1);
  // By layer for readers, by depth so that each node comes after its dependencies, by number for a fixed order.
  const by = (keys: Float64Array, a: number, b: number) => (keys[a] ?? 0) - (keys[b] ?? 0);
  const sorted = [...chosen].sort((a, b) => by(layers, a, b) || by(depths, a, b) || a - b);
  const dependencies = dependenciesAmong(graph, order, inside);
  const nodes = sorted.map((node): PlanNode => {
    const found = works.get(node) ?? work(node);
    const { kind, stack, address, generated, settings, expectedDuration } = found;
    return {
      id: idOf(graph, node),
      kind,
      application: address?.name ?? null,
      ...(generated && { generated }),
      argocd: address ? { namespace: address.namespace, project: address.project } : null,
      stack,
      dependsOn: (dependencies[node] ?? []).map((other) => idOf(graph, other)),
      layer: layers[node] ?? 0,
      timeouts: settings.timeouts,
      retries: settings.retries,
      gate: asks(kind, action) ? settings.gate : withoutQuestions(settings.gate),
      expectedDuration,
    };
  });
  const critical = criticalPath(graph, order, duration, chosen);
  const path = critical.nodes.filter((node) => inside[node] === 1).map((node) => idOf(graph, node));
  return { nodes, criticalPath: path, expectedDuration: critical.length };
}

/** Only nodes with a state that can be judged: no joins, and of a parent only the node that represents its end. */
function requiredIds(
  graph: Graph,
  { required }: Selection,
  work: (node: number) => Work,
  action: Action,
): string[] {
  const passing = action === 'deploy' ? 'open' : 'close';
  return graph.ids.filter((_, node) => {
    if (required[node] !== 1) return false;
    const { kind, address } = work(node);
    return address !== undefined && kind !== passing;
  });
}
