// The state of a platform, read-only: each application's gate, what is missing, what is unexpected.
import { API_VERSION } from '../../model/api-version.ts';
import type { LabelSelector } from '../../model/label-selector.ts';
import { viewsIn } from '../../plan/generated.ts';
import { namespacesOf, viewsByKey } from '../../plan/node-address.ts';
import type { Plan, PlanNode } from '../../plan/plan.ts';
import { closeOf } from '../../plan/platform-graph.ts';
import { type ApplicationView, ageOf } from '../../ports/application-view.ts';
import type { Cluster } from '../../ports/target.ts';
import { findBypasses } from '../../report/find-bypasses.ts';
import {
  rollUp,
  stateOf,
  type Validation,
  type ValidationNode,
  validationStatus,
} from '../../report/validation.ts';
import { foreignSync } from '../../run/foreign-sync.ts';
import { heldApplications } from '../../session/hold/held.ts';
import { listMakers, unexpectedOf } from '../unexpected.ts';
import { type Look, type LookParts, lookAtAll } from './look.ts';
import { isSelectedBy, requireSelected } from './selected.ts';

/** A parent is judged once, at its gate. */
const isJudged = ({ application, kind }: PlanNode) => application !== null && kind !== 'open';

interface ValidateParts extends LookParts {
  /** A sync that bypassed the order is a problem. */
  readonly strict?: boolean;
  readonly selector?: LabelSelector | undefined;
  readonly target: Pick<
    Cluster,
    'namespace' | 'applications' | 'applicationSets' | 'projects' | 'store'
  >;
}

export async function validate(plan: Plan, parts: ValidateParts): Promise<Validation> {
  const { target, clock, strict, selector } = parts;
  const looks = await lookAtAll(await judgedNodes(plan, parts), parts);
  const namespaces = namespacesOf(plan);
  const listed = await target.applications.list(namespaces);
  const sets = await listMakers(listed, namespaces, target);
  const views = viewsByKey(listed);
  const unexpected = unexpectedOf(plan, listed, sets)
    .filter((one) => isSelectedBy(selector, views.get(`${one.namespace}/${one.name}`)))
    .map(({ name }) => name);
  const now = clock.now();
  const rows = looks.flatMap((look) => rowsOf(look, selector));
  const nodes = rows.map((look) => nodeOf(look, now, plan.platform));
  const bypasses = findBypasses({ plan, viewsOf: seenIn(looks) });
  const notProbed = looks.flatMap(({ node }) => (node.gate.probe ? [node.id] : []));
  const state = rollUp(nodes.map((node) => node.state));
  return {
    apiVersion: API_VERSION,
    kind: 'Validation',
    platform: plan.platform,
    plan: plan.hash,
    scope: plan.scope,
    ...(selector && { selector: selector.text }),
    state,
    exitStatus: validationStatus(state, unexpected.length + (strict ? bypasses.length : 0)),
    stacks: stacksOf(plan, nodes),
    held: (await heldApplications(plan, target))
      .map(({ id }) => id)
      .filter((id) => selector === undefined || looks.some(({ node }) => node.id === id)),
    unexpected: unexpected.sort(),
    ...(notProbed.length > 0 && { notProbed }),
    ...(bypasses.length > 0 && { bypasses }),
    nodes,
  };
}

/** With a selector, only nodes that have an Application with the labels. */
async function judgedNodes(plan: Plan, { target, selector }: ValidateParts) {
  const judged = plan.nodes.filter(isJudged);
  if (selector === undefined) return judged;
  const viewsOf = viewsIn(await target.applications.list(namespacesOf(plan)));
  const selected = judged.filter((node) =>
    viewsOf(node).some((view) => isSelectedBy(selector, view)),
  );
  return requireSelected(selector, selected);
}

/** A generated member is as bad as all of its Applications, so it has no row where only some of them are meant. */
const rowsOf = (look: Look, selector: LabelSelector | undefined): Look[] =>
  selector && look.members
    ? look.members.filter(({ application }) => isSelectedBy(selector, application))
    : [look, ...(look.members ?? [])];

/** The looks, by node. */
function seenIn(looks: readonly Look[]): (node: PlanNode) => readonly ApplicationView[] {
  const seen = new Map(
    looks.map(({ node, ...look }) => {
      const all = look.members ?? [look];
      return [node.id, all.flatMap(({ application }) => application ?? [])];
    }),
  );
  return ({ id }) => seen.get(id) ?? [];
}

function nodeOf(look: Look, now: number, platform: string): ValidationNode {
  const { node, application, unmet, evidence } = look;
  const syncedBy = node.generated ? undefined : application && foreignSync(application, platform);
  return {
    id: node.id,
    stack: node.stack,
    state: stateOf(application, unmet),
    unmet: unmet ?? null,
    sync: application?.sync.status ?? null,
    health: application?.health.status ?? null,
    age: ageOf(application, now),
    evidence,
    ...(syncedBy && { syncedBy }),
  };
}

/** A stack sums up its members and the stacks inside it. */
function stacksOf(plan: Plan, nodes: readonly ValidationNode[]): Validation['stacks'] {
  const closes = new Map(
    plan.nodes.flatMap((node) => (node.kind === 'close' ? [[node.id, node]] : [])),
  );
  const within = (close: PlanNode): PlanNode[] => [
    close,
    ...close.dependsOn.flatMap((id) => closes.get(id) ?? []).flatMap(within),
  ];
  const stacks = new Set(plan.nodes.flatMap(({ stack }) => stack ?? []));
  return [...stacks].sort().flatMap((name) => {
    const close = closes.get(closeOf(name));
    const inner = new Set([name, ...(close ? within(close).map(({ stack }) => stack) : [])]);
    const states = nodes.filter(({ stack }) => inner.has(stack ?? '')).map(({ state }) => state);
    return states.length > 0 ? [{ name, state: rollUp(states) }] : [];
  });
}
