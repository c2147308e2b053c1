// The plan as text: a row per application with its dependencies, and the critical path.
import { renderDuration } from '../model/duration.ts';
import { renderReference } from '../model/names.ts';
import type { Absent } from '../model/present.ts';
import { probeTarget } from '../model/probe.ts';
import type { Action, Plan, PlanNode } from '../plan/plan.ts';
import { shortName } from '../plan/platform-graph.ts';
import type { ShownPlan } from '../plan/timed-plan.ts';
import { type Look, PLAIN, renderParts, type Text } from './lines.ts';
import { applicationText, hasExpectedTimes, stepOf } from './plan-step.ts';
import { plural, renderTable, tableWidth } from './table.ts';
import { faint, strong } from './tone.ts';
import { renderWrapped } from './wrap.ts';

/** Applications that this environment does not have. */
interface Elsewhere {
  readonly environment: string | undefined;
  readonly absent: readonly Absent[];
}

interface PlanLook {
  /** Also the Applications of the stacks and of the platform, the step of each row, and every dependency in it. */
  readonly all: boolean;
  readonly elsewhere: Elsewhere;
  readonly look?: Look;
}

export function renderPlanText(
  plan: ShownPlan,
  { all, elsewhere, look = PLAIN }: PlanLook,
): string {
  const nodes = new Map(plan.nodes.map((node) => [node.id, node]));
  const lines = (texts: readonly Text[]) => renderWrapped(texts, look);
  const whole = planRows(plan, nodes, { all, waits: allWaits });
  const isNarrow = look.columns !== undefined && tableWidth(whole) > look.columns;
  return renderParts([
    lines([strong(heading(plan))]),
    isNarrow ? narrowTables(plan, nodes, look) : renderTable(...whole, { look }),
    lines(criticalPath(plan, nodes)),
    lines(source(plan)),
    lines(requirements(plan)),
    lines(missing(elsewhere)),
    lines(approvals(plan)),
    lines(probes(plan)),
    lines([faint(`hash ${plan.hash}`)]),
  ]);
}

interface Rows {
  readonly all: boolean;
  readonly waits: (node: PlanNode, nodes: Nodes, action: Action) => readonly string[];
  readonly timeouts?: string;
}

function planRows(
  plan: ShownPlan,
  nodes: Nodes,
  { all, waits, timeouts = 'SYNC / HEALTH TIMEOUT' }: Rows,
): [header: string[], rows: string[][]] {
  const shown = plan.nodes.filter(
    ({ kind, application }) => kind === 'application' || (all && application !== null),
  );
  const isTimed = hasExpectedTimes(plan);
  // They are limits of a deployment; a deletion is reported as stuck instead.
  const hasTimeouts = plan.action === 'deploy';
  const header = [
    'LAYER',
    'APPLICATION',
    ...(all ? ['STEP'] : []),
    'STACK',
    'WAITS FOR',
    ...(isTimed ? [plan.measured ? 'EXPECTED' : 'ESTIMATE'] : []),
    ...(hasTimeouts ? [timeouts] : []),
  ];
  const rows = shown.map((node) => [
    String(node.layer),
    applicationText(node),
    ...(all ? [stepOf(plan.action, node)] : []),
    node.stack ?? '-',
    waits(node, nodes, plan.action).join(', ') || '-',
    ...(isTimed ? [expectedText(plan, node)] : []),
    ...(hasTimeouts
      ? [`${renderDuration(node.timeouts.sync)} / ${renderDuration(node.timeouts.health)}`]
      : []),
  ]);
  return [header, rows];
}

/** Where each row has no room for what its stack waits for: that has its own table. */
function narrowTables(plan: ShownPlan, nodes: Nodes, look: Look): string {
  const rows = planRows(plan, nodes, { all: false, waits: ownWaits, timeouts: 'TIMEOUTS' });
  return renderParts([
    renderTable(...rows, { look, shorten: ['WAITS FOR', 'STACK', 'APPLICATION'] }),
    stackTable(plan, nodes, look),
  ]);
}

/** What every member of a stack waits for is told once. */
function stackTable(plan: Plan, nodes: Nodes, look: Look): string {
  const rows = plan.nodes.flatMap((node): string[][] => {
    if (node.kind !== containerOf(plan.action) || node.stack === null) return [];
    const waits = ownWaits(node, nodes, plan.action);
    return waits.length > 0 ? [[shortName(node.id), waits.join(', ')]] : [];
  });
  if (rows.length === 0) return '';
  return renderTable(['STACK', 'WAITS FOR'], rows, { look, shorten: ['WAITS FOR', 'STACK'] });
}

/** Among measured durations, those of the file are marked. */
function expectedText({ measured }: ShownPlan, { id, expectedDuration }: PlanNode): string {
  const isGuess = measured !== undefined && !measured.has(id);
  return `${isGuess ? '~' : ''}${renderDuration(expectedDuration)}`;
}

/** Where the expected durations are from. */
function source({ measured, nodes }: ShownPlan): string[] {
  if (!measured) return [];
  const shown = nodes.filter(({ kind }) => kind === 'application');
  const known = shown.filter(({ id }) => measured.has(id));
  if (known.length === 0) return ['No recorded run deployed these applications: ~ is an estimate.'];
  const mark = known.length < shown.length ? '; ~ is an estimate' : '';
  return [`Expected durations are the median of recorded runs${mark}.`];
}

function heading(plan: Plan): string {
  const applications = plan.nodes.filter((node) => node.kind === 'application');
  const stacks = new Set(plan.nodes.flatMap(({ stack }) => stack ?? []));
  const parents = new Set(parentsOf(plan).map((node) => node.application));
  const layers = new Set(applications.map((node) => node.layer));
  const scope = plan.scope.join(', ') === 'platform' ? '' : ` (scope ${plan.scope.join(', ')})`;
  const size = [
    plural(applications.length, 'application'),
    ...(parents.size > 0 ? [plural(parents.size, 'parent')] : []),
    plural(stacks.size, 'stack'),
    plural(layers.size, 'layer'),
    ...(hasExpectedTimes(plan) ? [`about ${renderDuration(plan.expectedDuration)}`] : []),
  ];
  return `Plan to ${VERBS[plan.action]} "${plan.platform}"${scope}: ${size.join(', ')}`;
}

/** Stacks' own Applications and the root: synced or deleted too, but not rows of the table. */
function parentsOf(plan: Plan): PlanNode[] {
  return plan.nodes.filter(
    ({ kind, application }) => kind !== 'application' && application !== null,
  );
}

const VERBS = { deploy: 'deploy', teardown: 'tear down' } as const;

type Nodes = ReadonlyMap<string, PlanNode>;

/** Only what contains a node comes before it in this way. */
const containerOf = (action: Action): PlanNode['kind'] => (action === 'deploy' ? 'open' : 'close');

/** The dependencies of an application, of its stack and of the enclosing stacks. */
function awaited({ dependsOn }: PlanNode, nodes: Nodes, action: Action): string[] {
  const ids = dependsOn.flatMap((id) => {
    const other = nodes.get(id);
    return other?.kind === containerOf(action) ? awaited(other, nodes, action) : [id];
  });
  return [...new Set(ids)].sort();
}

const allWaits = (node: PlanNode, nodes: Nodes, action: Action): string[] =>
  awaited(node, nodes, action).map(shortName);

const AS_ITS_STACK = "its stack's";

/** Without what its stack waits for, which is mentioned only. */
function ownWaits(node: PlanNode, nodes: Nodes, action: Action): string[] {
  const containers = node.dependsOn.flatMap((id) => {
    const other = nodes.get(id);
    return other?.kind === containerOf(action) ? [other] : [];
  });
  const inherited = new Set(containers.flatMap((one) => awaited(one, nodes, action)));
  const own = awaited(node, nodes, action).filter((id) => !inherited.has(id));
  return [...own.map(shortName), ...(inherited.size > 0 ? [AS_ITS_STACK] : [])];
}

function criticalPath(plan: ShownPlan, nodes: Nodes): Text[] {
  const path = plan.criticalPath.flatMap((id) => nodes.get(id) ?? []);
  const steps = path.filter(({ kind }) => kind === 'application');
  if (!hasExpectedTimes(plan)) {
    const names = steps.map(({ id }) => shortName(id));
    return names.length > 0 ? [[strong('Longest chain:'), ` ${names.join(' -> ')}`]] : [];
  }
  const parents = path.filter(({ kind }) => kind !== 'application');
  const texts = steps.map((node) => `${shortName(node.id)} ${expectedText(plan, node)}`);
  const rest = parents.reduce((sum, node) => sum + node.expectedDuration, 0);
  const more = rest > 0 ? `, and ${renderDuration(rest)} for parents` : '';
  return texts.length > 0 ? [[strong('Critical path:'), ` ${texts.join(' -> ')}${more}`]] : [];
}

function approvals({ nodes }: Plan): string[] {
  const lines = nodes.flatMap(({ id, gate }) =>
    gate.approval === undefined ? [] : [`Requires approval: ${shortName(id)} (${gate.approval})`],
  );
  return lines.length > 0 ? [...lines, 'Expected durations do not include approvals.'] : [];
}

function probes({ nodes }: Plan): string[] {
  return nodes.flatMap(({ id, gate }) =>
    gate.probe === undefined ? [] : [`Probe: ${shortName(id)} (${probeTarget(gate.probe)})`],
  );
}

function requirements(plan: Plan): string[] {
  if (plan.requires.length === 0) return [];
  const state = plan.action === 'deploy' ? 'must already be healthy' : 'must already be deleted';
  return [`Outside the scope, ${state}: ${plan.requires.map(shortName).join(', ')}`];
}

/** A stack represents its applications. */
function missing({ environment, absent }: Elsewhere): string[] {
  const whole = absent.filter((one) => one.with === undefined);
  if (whole.length === 0) return [];
  const names = whole.map(({ reference }) => shortName(renderReference(reference)));
  return [`Not in environment "${environment}": ${names.join(', ')}`];
}
