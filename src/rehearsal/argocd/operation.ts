// One sync operation: hooks before, waves one after the other, hooks afterwards. It ends when everything is applied, not
// when it is healthy, unless something comes after it.
import { type KubeObject, WriteRefused } from '../cluster/objects.ts';
import {
  type Application,
  type ApplicationStatus,
  asApplication,
  isDone,
  type OperationState,
  type ResultResource,
  withStatus,
} from './application.ts';
import { applyWanted, pruneLeft } from './apply.ts';
import { nameOf, namesOf } from './compare.ts';
import type { Control } from './control.ts';
import { ManifestError, resolve, type Wanted, wantedOf } from './desired.ts';
import { healthOf } from './health.ts';
import { canSync, windowsOf } from './windows.ts';

const BLOCKED = 'Sync operation blocked by sync window';
const BLOCKED_AGAIN_MS = 10_000;

/** What belongs together: applied at once, waited for before the next. */
interface Group {
  readonly wanted: readonly Wanted[];
  readonly isHooks: boolean;
}

export class OperationRun {
  readonly #controller: Control;
  readonly #application: Application;
  readonly #results = new Map<string, ResultResource>();
  #groups: readonly Group[] = [];
  #at = -1;
  #revision = '';
  #isOver = false;
  #isTerminating = false;

  constructor(controller: Control, application: Application) {
    this.#controller = controller;
    this.#application = application;
    const { status, operation } = application;
    if (!operation) throw new Error('an operation without a request');
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

  changed({ status }: Application): void {
    if (status?.operationState?.phase !== 'Terminating' || this.#isTerminating || this.#isBlocked())
      return;
    this.#isTerminating = true;
    const seconds = this.#controller.parts.settings().termination(this.#application);
    this.#later(() => this.#end('Failed', 'Operation terminated'), seconds * 1000);
  }

  liveChanged(): void {
    if (!this.#isOver && this.#at >= 0) this.#judge();
  }

  #later(happen: () => void, ms = this.#controller.parts.settings().comparison()): void {
    this.#controller.later(ms, () => {
      if (!this.#isOver) happen();
    });
  }

  #isManual(): boolean {
    return this.#application.operation?.initiatedBy?.automated !== true;
  }

  #isBlocked(): boolean {
    const { time } = this.#controller.parts;
    const windows = windowsOf(this.#controller.project(this.#application), this.#application);
    return !canSync(windows, this.#isManual(), time.calendar);
  }

  #begin(): void {
    if (this.#isBlocked()) {
      this.#write({ message: BLOCKED });
      this.#later(() => this.#begin(), BLOCKED_AGAIN_MS);
      return;
    }
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
      else if (failure) this.#fail(wanted, failure);
      else this.#next();
    } catch (error) {
      if (!(error instanceof ManifestError)) throw error;
      this.#end('Error', `ComparisonError: ${error.message}`);
    }
  }

  #hang(seconds: number): void {
    this.#write({ message: 'waiting for completion of hook batch/Job/migrate' });
    if (Number.isFinite(seconds)) this.#later(() => this.#next(), seconds * 1000);
  }

  #fail(wanted: readonly Wanted[], message: string): void {
    const [first] = wanted;
    if (first)
      this.#results.set(nameOf(first.object), {
        ...namesOf(first.object),
        status: 'SyncFailed',
        message,
      });
    this.#end('Failed', `one or more objects failed to apply, reason: ${message}`);
  }

  #next(): void {
    this.#at++;
    const group = this.#groups[this.#at];
    if (!group) {
      this.#finish();
      return;
    }
    for (const wanted of group.wanted) {
      try {
        this.#results.set(
          nameOf(wanted.object),
          applyWanted(this.#controller, this.#application, wanted),
        );
      } catch (error) {
        if (!(error instanceof WriteRefused)) throw error;
        this.#fail([wanted], error.message);
        return;
      }
    }
    // With nothing after it, an apply is all there is to do.
    if (this.#at === this.#groups.length - 1 && !group.isHooks) {
      this.#finish();
      return;
    }
    this.#write({ message: `waiting for ${describe(group)}`, syncResult: this.#result() });
    this.#judge();
  }

  /** Goes on once everything of this group is healthy. */
  #judge(): void {
    const group = this.#groups[this.#at];
    if (!group || this.#isTerminating) return;
    const settings = this.#controller.parts.settings();
    const healths = group.wanted.map(({ object }) => {
      const live = this.#controller.cache.get(
        object.apiVersion,
        object.kind,
        object.metadata.namespace,
        object.metadata.name,
      );
      return live ? (healthOf(live, settings)?.status ?? 'Healthy') : 'Progressing';
    });
    if (group.isHooks && healths.some((health) => health === 'Degraded' || health === 'Unknown')) {
      this.#end('Failed', 'one or more synchronization tasks completed unsuccessfully');
      return;
    }
    if (healths.some((health) => health !== 'Healthy')) return;
    const at = this.#at;
    const isLast = at === this.#groups.length - 1;
    this.#later(
      () => {
        if (this.#at === at && !this.#isTerminating) this.#next();
      },
      isLast || group.isHooks ? 50 : settings.waveDelay * 1000,
    );
  }

  #finish(): void {
    const { operation } = this.#application;
    if (operation?.sync?.resources === undefined) {
      for (const result of pruneLeft(this.#controller, this.#application, this.#revision)) {
        this.#results.set(`${result.kind} ${result.namespace}/${result.name}`, result);
      }
    }
    this.#end('Succeeded', 'successfully synced (all tasks run)');
  }

  #result() {
    const { source } = this.#application.spec;
    return { revision: this.#revision, source, resources: [...this.#results.values()] };
  }

  #end(phase: OperationState['phase'], message: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const finishedAt = this.#controller.now();
    const syncResult = this.#revision === '' ? {} : { syncResult: this.#result() };
    this.#write({ phase, message, finishedAt, ...syncResult }, true);
    this.#controller.operationEnded(this.#application, this.#isManual() ? 3 : 2);
  }

  /** The last write of an operation removes the request. */
  #write(part: Partial<OperationState>, isLast = false): void {
    const { objects } = this.#controller.parts;
    objects.update(this.#application, (object: KubeObject) => {
      const now = asApplication(object);
      const operationState = { ...now.status?.operationState, ...part } as OperationState;
      const next = withStatus(now, { operationState, ...(isLast ? cleared(now, part.phase) : {}) });
      if (!isLast) return next;
      const { operation: _, ...rest } = next;
      return rest as Application;
    });
  }
}

/** A sync that went well ends what an earlier one left behind. */
function cleared({ status }: Application, phase: string | undefined): Partial<ApplicationStatus> {
  if (phase !== 'Succeeded') return {};
  const conditions = (status?.conditions ?? []).filter(({ type }) => type !== 'SyncError');
  return { conditions };
}

function groupsOf(
  all: readonly Wanted[],
  only: readonly { readonly [key: string]: unknown }[] | undefined,
): readonly Group[] {
  const chosen = only
    ? all.filter(({ object, hook }) => {
        const { kind, name, namespace } = namesOf(object);
        return (
          !hook &&
          only.some((one) => one.kind === kind && one.name === name && one.namespace === namespace)
        );
      })
    : all;
  const phase = (is: (wanted: Wanted) => boolean, isHooks: boolean): Group[] => {
    const members = chosen.filter(is);
    const waves = [...new Set(members.map(({ wave }) => wave))].sort((a, b) => a - b);
    return waves.map((wave) => ({ isHooks, wanted: members.filter((one) => one.wave === wave) }));
  };
  const plain = phase(({ hook }) => hook === undefined || hook === 'Sync', false);
  const after = phase(({ hook }) => hook === 'PostSync', true);
  return [...phase(({ hook }) => hook === 'PreSync', true), ...plain, ...after];
}

function describe({ wanted, isHooks }: Group): string {
  const [first] = wanted;
  const { group, kind, name } = first ? namesOf(first.object) : { group: '', kind: '', name: '' };
  const more =
    wanted.length > 1 ? ` and ${wanted.length - 1} more ${isHooks ? 'hooks' : 'resources'}` : '';
  const what = isHooks ? 'completion of hook' : 'healthy state of';
  return `${what} ${group}/${kind}/${name}${more}`;
}
