// Bugs of the lease and of the hold.
import { type Bug, bug } from './bug.ts';

const LEASE = 'src/session/lease/lease.ts';
const OUTLIVE = 'src/session/lease/outlive.ts';
const WALK = 'src/engines/walk-plan.ts';
const HOLD = 'src/session/hold/run-hold.ts';

export const LEASES: readonly Bug[] = [
  bug(
    'no-fencing',
    'writes without asking whether the lease lasts',
    LEASE,
    'return !this.#end.signal.aborted && LEASE_DURATION_MS - this.#age() > deadlineMs;',
    'return !this.#end.signal.aborted;',
  ),
  bug(
    'fencing-too-late',
    'writes until the lease expires, not until a write outlasts it',
    LEASE,
    'LEASE_DURATION_MS - this.#age() > deadlineMs;',
    'LEASE_DURATION_MS - this.#age() > 0;',
  ),
  bug(
    'lease-by-calendar',
    'measures the lease by the calendar alone',
    LEASE,
    'return Math.max(monotonic - this.#sent.monotonic, calendar - this.#sent.calendar);',
    'return calendar - this.#sent.calendar + 0 * monotonic;',
  ),
  bug(
    'takes-the-lease-back',
    'renews a lease that another process has taken over',
    LEASE,
    'if (now?.holder !== this.#parts.holder) {',
    'if (!now) {',
  ),
  bug(
    'takeover-too-early',
    'takes a lease over before it has expired',
    OUTLIVE,
    'const end = clock.monotonic() + wait;',
    'const end = clock.monotonic() + LEASE_POLL_MS;',
  ),
  bug(
    'record-of-a-loser',
    'continues the record after the lease is lost',
    'src/session/session.ts',
    'mayWrite: () => this.mayWrite(),\n      onProblem',
    'mayWrite: () => true,\n      onProblem',
  ),
];

export const HOLDS: readonly Bug[] = [
  bug(
    'no-hold',
    'does not take the hold',
    HOLD,
    'this.#up ??= this.#putUp(this.#parts.stop);\n    await',
    'this.#up ??= Promise.resolve();\n    await',
  ),
  bug(
    'hold-removed',
    'removes the hold instead of creating it',
    'src/session/hold/hold-writer.ts',
    'this.#change(this.#on(project), (names) => withNames(names, more));',
    'this.#change(this.#on(project), (names) => withoutNames(withNames(names, more), more));',
  ),
  bug(
    'handed-over-at-the-start',
    'hands an application over before its gate',
    WALK,
    'this.#parts.slots.take(node.id);',
    'this.#parts.slots.take(node.id);\n    this.#parts.opened?.(node);',
  ),
  bug(
    'skipped-are-handed-over',
    'lifts the hold of skipped applications',
    WALK,
    'this.#parts.skipped?.(this.schedule.node(id));',
    'this.#parts.skipped?.(this.schedule.node(id));\n    this.#parts.opened?.(this.schedule.node(id));',
  ),
  bug(
    'all-handed-over-at-the-end',
    'lifts the hold at the end, with any result',
    HOLD,
    'async settle(): Promise<void> {',
    'async settle(): Promise<void> {\n    for (const node of this.#nodes()) this.handOver(node);',
  ),
  bug(
    'never-handed-over',
    'keeps healthy applications on hold',
    WALK,
    'this.proceed();\n      this.#parts.opened?.(node);',
    'this.proceed();',
  ),
  bug(
    'frozen-by-a-dead-run',
    'keeps in the window an operation that a dead run froze',
    HOLD,
    'else if (isFrozen) this.#free(node);',
    '',
  ),
  bug(
    'project-without-version',
    'writes an AppProject without comparing versions',
    'src/targets/kubernetes/projects.ts',
    'metadata: { resourceVersion, annotations',
    'metadata: { annotations',
  ),
];
