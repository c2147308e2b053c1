// One sync operation: hooks before, waves one after the other, hooks afterwards. It ends when everything is applied, not
// when it is healthy, unless something comes after it.
import { nameOf, WriteRefused } from '../cluster/object-store.ts';
import {
  type Application,
  asApplication,
  isDone,
  type OperationState,
  sourceOf,
} from './application.ts';
import { applyWanted, pruneLeft, unknownKind } from './apply.ts';
import type { Control } from './control.ts';
import { ManifestError, resolve, type Wanted, wantedOf } from './desired.ts';
import type { Destination } from './live-cache.ts';
import { kitchenTime, pauseBefore } from './operation-retry.ts';
import { writeState } from './operation-state.ts';
import { maySync } from './project-windows.ts';
import { type Health, healthOf } from './resource-health.ts';
import { isFrom } from './simulated-version.ts';
import { describe, type Group, groupsOf } from './sync-groups.ts';
import { Results, removeNow, sweepHook } from './sync-results.ts';

const BLOCKED = 'Sync operation blocked by sync window';
const BLOCKED_AGAIN_MS = 10_000;
const UNSUCCESSFUL = 'one or more synchronization tasks completed unsuccessfully';

export class OperationRun {
  readonly #controller: Control;
  readonly #application: Application;
  readonly #destination: Destination;
  readonly #results = new Results();
  #groups: readonly Group[] = [];
  #at = -1;
  #revision = '';
  #isOver = false;
  #isTerminating = false;
  #isFrozen = false;
  #retries: number;
  #failures: readonly string[] = [];

  constructor(controller: Control, application: Application) {
    this.#controller = controller;
    this.#application = application;
    this.#destination = controller.destination(application);
    const { status, operation } = application;
    if (!operation) throw new Error('an operation without a request');
    this.#retries = status?.operationState?.retryCount ?? 0;
    if (status?.operationState === undefined || isDone(status.operationState.phase)) {
      const startedAt = controller.now();
      this.#write({ phase: 'Running', message: '', startedAt, operation });
    }
    this.#later(() => this.#begin());
  }

  /** The controller has ended. */
  abandon(): void {
    this.#isOver = true;
  }

  /** Each change of the Application makes it look again. */
  changed({ status }: Application): void {
    if (this.#isOver || this.#isTerminating || this.#freezeIfBlocked()) return;
    if (status?.operationState?.phase === 'Terminating') this.#terminate();
    else if (this.#isFrozen) this.#thaw();
  }

  liveChanged(): void {
    if (!this.#isOver && this.#at >= 0) this.#judge();
  }

  #later(happen: () => void, ms = this.#controller.parts.settings().comparison()): void {
    this.#controller.later(ms, () => {
      if (!this.#isOver) happen();
    });
  }

  #terminate(): void {
    this.#isTerminating = true;
    const { settings } = this.#controller.parts;
    const end = () => {
      const hooks = this.#groups.flatMap(({ wanted }) => wanted).filter(({ hook }) => hook);
      for (const wanted of hooks.filter((one) => this.#results.isRunning(one))) {
        this.#results.ended(wanted, 'Failed', undefined);
        removeNow(this.#destination.objects, wanted.object);
      }
      this.#end('Failed', 'Operation terminated');
    };
    this.#later(end, settings().termination(this.#application) * 1000);
  }

  #isManual(): boolean {
    return this.#application.operation?.initiatedBy?.automated !== true;
  }

  /** True: a closed window stops it at any point; not even its end gets through. */
  #freezeIfBlocked(): boolean {
    if (maySync(this.#controller, this.#application, this.#isManual())) return false;
    if (!this.#isFrozen) {
      this.#isFrozen = true;
      this.#write({ message: BLOCKED });
      this.#lookAgain();
    }
    return true;
  }

  #lookAgain(): void {
    const { objects } = this.#controller.parts;
    this.#later(() => {
      if (!this.#isFrozen || this.#isTerminating) return;
      if (this.#freezeIfBlocked()) this.#lookAgain();
      else this.changed(asApplication(objects.current(this.#application) ?? this.#application));
    }, BLOCKED_AGAIN_MS);
  }

  #thaw(): void {
    this.#isFrozen = false;
    if (this.#at < 0) this.#begin();
    else this.#judge();
  }

  #begin(): void {
    if (this.#freezeIfBlocked()) return;
    const { git, settings } = this.#controller.parts;
    const { sync } = this.#application.operation ?? {};
    try {
      this.#revision = sync?.revision || resolve(git, this.#application);
      if (!git.reachable) resolve(git, this.#application);
      const wanted = wantedOf(git, this.#application, this.#revision);
      const failure = settings().syncFailure(this.#application);
      this.#groups = groupsOf(wanted, sync?.resources);
      const hangs = settings().syncHangs(this.#application);
      if (hangs !== undefined) this.#hang(hangs);
      else if (failure) {
        for (const one of wanted.slice(0, 1)) this.#results.refused(one, failure);
        this.#refused(failure);
      } else if (!this.#isInvalid(wanted)) this.#next();
    } catch (error) {
      if (!(error instanceof ManifestError)) throw error;
      this.#failed('Error', `ComparisonError: ${error.message}`);
    }
  }

  #hang(seconds: number): void {
    this.#write({ message: 'waiting for completion of hook batch/Job/migrate' });
    const goOn = () => {
      if (!this.#freezeIfBlocked()) this.#next();
    };
    if (Number.isFinite(seconds)) this.#later(goOn, seconds * 1000);
  }

  /** Kinds that the cluster does not know are found before anything is applied. */
  #isInvalid(wanted: readonly Wanted[]): boolean {
    const unknown = wanted.filter(({ object }) => {
      const message = unknownKind(this.#destination, object);
      if (message) this.#results.refused({ object, hook: undefined, wave: 0 }, message);
      return message;
    });
    if (unknown.length === 0) return false;
    this.#failed('Failed', 'one or more synchronization tasks are not valid');
    return true;
  }

  #refused(reason: string): void {
    this.#failed('Failed', `one or more objects failed to apply, reason: ${reason}`);
  }

  #next(): void {
    this.#at++;
    const group = this.#groups[this.#at];
    this.#failures = (group?.wanted ?? []).flatMap((wanted) => this.#apply(wanted) ?? []);
    const failed = this.#failures.length > 0;
    // With nothing after it, an apply is all there is to do.
    const isLast = this.#at >= this.#groups.length - 1 && !group?.isHooks;
    if (!group || (isLast && !failed)) this.#finish();
    else if (failed && !this.#waitsForOthers(group)) this.#refused(this.#failures.join(','));
    else {
      this.#write({ message: `waiting for ${describe(group)}`, ...this.#result() });
      this.#judge();
    }
  }

  /** From 3.4 on, what was applied beside a failure is waited for, though nothing comes of it. */
  #waitsForOthers({ wanted }: Group): boolean {
    const isSo = isFrom(4, this.#controller.parts.settings());
    return isSo && wanted.some((one) => this.#results.isRunning(one));
  }

  /** Why it was refused. */
  #apply(wanted: Wanted): string | undefined {
    try {
      const result = applyWanted(this.#controller, this.#application, wanted);
      this.#results.set(nameOf(wanted.object), result);
      return undefined;
    } catch (error) {
      if (!(error instanceof WriteRefused)) throw error;
      this.#results.refused(wanted, error.message);
      return error.message;
    }
  }

  #healthOf({ object }: Wanted): Health {
    const live = this.#destination.cache.get(object);
    if (!live) return { status: 'Progressing' };
    return healthOf(live, this.#controller.parts.settings()) ?? { status: 'Healthy' };
  }

  /** Continues once everything of this group is healthy. */
  #judge(): void {
    const group = this.#groups[this.#at];
    if (!group || this.#isTerminating || this.#isFrozen || this.#freezeIfBlocked()) return;
    const { objects } = this.#destination;
    const healths = group.wanted.map((wanted) => [wanted, this.#healthOf(wanted)] as const);
    if (this.#failures.length > 0) {
      if (this.#results.allEnded(healths))
        this.#failed('Failed', `${UNSUCCESSFUL}, reason: ${this.#failures.join(',')}`);
      return;
    }
    const bad = healths.filter(([, { status }]) => status === 'Degraded' || status === 'Unknown');
    if (group.isHooks && bad.length > 0) {
      for (const [wanted, health] of bad) {
        this.#results.ended(wanted, 'Failed', health);
        sweepHook(objects, wanted, 'HookFailed');
      }
      this.#failed('Failed', UNSUCCESSFUL);
      return;
    }
    if (healths.some(([, { status }]) => status !== 'Healthy')) return;
    const at = this.#at;
    const { waveDelay } = this.#controller.parts.settings();
    const pause = group.isHooks || at === this.#groups.length - 1 ? 50 : waveDelay * 1000;
    const goOn = () => {
      if (this.#at !== at || this.#isTerminating || this.#isFrozen) return;
      for (const [wanted, health] of healths) {
        this.#results.ended(wanted, 'Succeeded', health);
        sweepHook(objects, wanted, 'HookSucceeded');
      }
      this.#next();
    };
    this.#later(goOn, pause);
  }

  #finish(): void {
    if (this.#application.operation?.sync?.resources === undefined) {
      for (const result of pruneLeft(this.#controller, this.#application, this.#revision)) {
        this.#results.set(`${result.kind} ${result.namespace}/${result.name}`, result);
      }
    }
    this.#end('Succeeded', 'successfully synced (all tasks run)');
  }

  /** Nothing while it is not known what is synced. */
  #result(): Pick<OperationState, 'syncResult'> {
    const revision = this.#revision;
    const source = sourceOf(this.#application);
    return revision
      ? { syncResult: { revision, source, resources: [...this.#results.values()] } }
      : {};
  }

  /** It is over, unless it is retried. */
  #failed(phase: 'Failed' | 'Error', message: string): void {
    const pause = pauseBefore(this.#application.operation ?? {}, this.#retries);
    if (pause === undefined) {
      const times = this.#retries > 0 ? ` (retried ${this.#retries} times).` : '';
      this.#end(phase, message + times);
      return;
    }
    const { time } = this.#controller.parts;
    const attempt = ++this.#retries;
    const when = kitchenTime(time.calendar + pause);
    this.#at = -1;
    this.#write({
      phase: 'Running',
      message: `${message}. Retrying attempt #${attempt} at ${when}.`,
      finishedAt: this.#controller.now(),
      retryCount: attempt,
      ...this.#result(),
    });
    this.#later(() => this.#tryAgain(attempt), pause);
  }

  #tryAgain(attempt: number): void {
    if (this.#isTerminating || this.#isFrozen) return;
    this.#results.clear();
    this.#write({ message: `Retrying operation. Attempt #${attempt}`, finishedAt: undefined });
    this.#begin();
  }

  #end(phase: OperationState['phase'], message: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const finishedAt = this.#controller.now();
    this.#write({ phase, message, finishedAt, ...this.#result() }, true);
    this.#controller.operationEnded(this.#application, this.#isManual() ? 3 : 2);
  }

  #write(part: Partial<OperationState>, isLast = false): void {
    writeState(this.#controller.parts.objects, this.#application, part, isLast);
  }
}
