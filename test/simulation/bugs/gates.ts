// Bugs of the gate and of the order.
import { type Bug, bug } from './bug.ts';

const GATE = 'src/gate/conditions.ts';
const DWELL = 'src/node/dwell.ts';
const PASS = 'src/node/pass-gate.ts';
const CONTEXT = 'src/node/node-context.ts';
const SCHEDULE = 'src/run/schedule.ts';
const GRAPH = 'src/plan/platform-graph.ts';
const WALK = 'src/engines/walk-plan.ts';
const SLOTS = 'src/engines/slots.ts';

export const GATES: readonly Bug[] = [
  bug(
    'cached-healthy',
    'accepts the last comparison of Argo CD as a fresh one',
    'src/node/observe.ts',
    'const now = await freshLook(context, deadline);',
    'const now = { ...first, reconciledAt: (first.reconciledAt ?? 0) + 1 + refreshes };',
  ),
  bug(
    'progressing-is-enough',
    'accepts Progressing as Healthy',
    GATE,
    "if (status === 'Healthy' || (status",
    "if (status === 'Healthy' || status === 'Progressing' || (status",
  ),
  bug(
    'out-of-sync-is-enough',
    'does not look at the sync status',
    'src/gate/drift.ts',
    'const { status } = application.sync;',
    'if (application) return undefined;\n      const { status } = application.sync;',
  ),
  bug(
    'no-dwell',
    'skips the dwell',
    DWELL,
    'const fall = await fallMeanwhile(context, wait, { seen, evidence });',
    'const fall = seen && fallMeanwhile ? undefined : await fallMeanwhile(context, wait, { seen, evidence });',
  ),
  bug(
    'dwell-not-judged',
    'waits for the dwell, and does not check again after it',
    PASS,
    `if (steady.open)
        return { kind: 'open', evidence: steady.evidence, dwellMs: dwellMs(context) };`,
    "if (verdict.open) return { kind: 'open', evidence: verdict.evidence, dwellMs: dwellMs(context) };",
  ),
  bug(
    'fall-not-seen',
    'does not recheck an application that became unhealthy after its gate',
    'src/node/judge-again.ts',
    'return !healthy || drift(application, gate) !== undefined;',
    'return false && healthy;',
  ),
  bug(
    'impatient',
    'treats a slow application as Degraded',
    PASS,
    "return application.health.status === 'Degraded';",
    "return application.health.status !== 'Healthy';",
  ),
  bug(
    'no-refresh',
    'reads without asking Argo CD to compare',
    CONTEXT,
    'return (await applications.refresh(address)) ?? (await applications.get(address));',
    'return await applications.get(address);',
  ),
];

export const ORDER: readonly Bug[] = [
  bug(
    'starts-at-sync',
    'starts dependents when the sync was requested',
    SCHEDULE,
    "this.#ways.set(this.#numberOf(id), state === 'open');",
    "this.#ways.set(this.#numberOf(id), ['open', 'running'].includes(state));",
  ),
  bug(
    'failed-is-done',
    'counts an application that failed as done',
    WALK,
    "const isGood = isThrough(outcome) || outcome === 'removed';",
    "const isGood = outcome !== 'skipped';",
  ),
  bug(
    'failed-opens',
    'starts dependents of an application that failed',
    SCHEDULE,
    "this.#become(id, 'failed');",
    "this.#become(id, 'open'); if (cause) return [];",
  ),
  bug(
    'close-without-members',
    'closes a stack without waiting for its members',
    GRAPH,
    'inside.length > 0 ? inside : [open]',
    '[open]',
  ),
  bug(
    'stacks-do-not-wait',
    'ignores the dependencies of a stack',
    GRAPH,
    '[around, ...stack.dependsOn.map(targetOf)]',
    '[around]',
  ),
  bug(
    'one-too-many',
    'runs one more than is allowed',
    SLOTS,
    'this.#taken.size + this.#left.size < this.#most;',
    'this.#taken.size + this.#left.size <= this.#most;',
  ),
  bug(
    'appearing-is-free',
    'starts all members that appear together',
    SLOTS,
    'if (this.#taken.has(id)) return;',
    'if (id !== undefined) return;',
  ),
  bug(
    'exit-0-for-some',
    'reports success when only some are healthy',
    'src/run/exit-status.ts',
    'good.length === all.length',
    'good.length > 0',
  ),
];
