// Argo CD's application controller: two queues that know nothing of each other. One compares, the other carries operations
// out; what the one writes may be older than what the other has done.

import { type Change, isDeleting, type KubeObject, secondsText } from '../cluster/object-store.ts';
import { isSame } from '../cluster/same.ts';
import {
  API,
  type Application,
  applicationsIn,
  asApplication,
  comparedTo,
  isSkipped,
  keyOfApplication,
  REFRESH,
  sourceOf,
} from './application.ts';
import { autoSync } from './auto-sync.ts';
import { asBefore, compare, type Managed } from './compare.ts';
import { compared, type Level, type Observed, type Seen, withoutProject } from './compared.ts';
import type { Control, ControllerParts } from './control.ts';
import { finalize } from './deletion.ts';
import { ManifestError, resolve, wantedOf } from './desired.ts';
import { destinations } from './destinations.ts';
import { isNews } from './live-news.ts';
import { OperationRun } from './operation.ts';

class Work {
  level: Level | 0 = 0;
  comparing = false;
  queued = false;
  noticed = false;
  operation: OperationRun | undefined;
  managed: readonly Managed[] = [];
  overlooked: string | undefined;
  /** The mark of a refresh that was overlooked: it is seen with the next change of the Application. */
  missed: string | undefined;
  healedAt = 0;
  cancelResync: () => void = () => {};

  abandon(): void {
    this.operation?.abandon();
    this.cancelResync();
  }
}

export class Controller implements Control {
  readonly parts: ControllerParts;
  readonly destination: Control['destination'];
  readonly #work = new Map<string, Work>();
  /** Grows with each start: what an earlier life has planned does not happen any more. */
  #life = 1;
  #isDown = false;

  constructor(parts: ControllerParts) {
    this.parts = parts;
    this.destination = destinations(parts, (...change) => this.#liveChanged(...change));
    parts.objects.onChange((change) => this.#changed(change));
  }

  /** What it did is left as it is; what it was about to do does not happen. */
  stop(): void {
    this.#isDown = true;
    this.#life++;
    for (const work of this.#work.values()) work.abandon();
    this.#work.clear();
  }

  start(): void {
    if (!this.#isDown) return;
    this.#isDown = false;
    for (const application of applicationsIn(this.parts.objects)) {
      this.#queue(keyOfApplication(application), 2);
      this.#notice(application);
    }
  }

  /** What the last comparison saw. */
  managed(application: Application): readonly Managed[] {
    return this.#work.get(keyOfApplication(application))?.managed ?? [];
  }

  project(application: Application): KubeObject | undefined {
    const { namespace, objects } = this.parts;
    return objects.get(API, 'AppProject', namespace, application.spec.project);
  }

  /** Happens later, unless the controller has ended by then. */
  later(ms: number, happen: () => void): () => void {
    const life = this.#life;
    return this.parts.time.after(ms, () => {
      if (life === this.#life) happen();
    });
  }

  refresh(application: KubeObject, level: Level): void {
    this.#queue(keyOfApplication(application), level);
  }

  operationEnded(application: Application, level: Level): void {
    const key = keyOfApplication(application);
    this.#of(key).operation = undefined;
    this.#queue(key, level);
    this.#notice(application);
  }

  now(): string {
    return secondsText(this.parts.time.calendar);
  }

  #read(key: string): Application | undefined {
    const at = key.indexOf('/');
    const object = this.parts.objects.get(API, 'Application', key.slice(0, at), key.slice(at + 1));
    return object && asApplication(object);
  }

  #changed({ type, object }: Change): void {
    if (this.#isDown || object.kind !== 'Application') return;
    const key = keyOfApplication(object);
    if (type === 'DELETED') {
      this.#work.get(key)?.abandon();
      this.#work.delete(key);
    } else this.#notice(object);
  }

  #notice(object: KubeObject): void {
    const key = keyOfApplication(object);
    const work = this.#of(key);
    if (work.noticed) return;
    work.noticed = true;
    this.later(this.parts.settings().notice(), () => this.#look(key));
  }

  /** What an informer's event leads to. */
  #look(key: string): void {
    const work = this.#of(key);
    work.noticed = false;
    const application = this.#read(key);
    if (!application || isSkipped(application)) return;
    const { metadata, status } = application;
    const mark = metadata.annotations?.[REFRESH];
    if (mark !== undefined && !this.#misses(work, mark)) this.#queue(key, 3);
    else if (!isSame(status?.sync?.comparedTo, comparedTo(application))) this.#queue(key, 2);
    else if (!this.project(application)) this.#queue(key, 2);
    if (isDeleting(application) && !application.operation) finalize(this, application);
    // It may end by that; what comes after it is looked at anew.
    if (work.operation) work.operation.changed(application);
    else if (application.operation) this.#beginOperation(application, work);
  }

  #misses(work: Work, mark: string): boolean {
    if (work.missed === mark) return false;
    work.missed = this.parts.settings().missesRefresh() ? mark : undefined;
    return work.missed !== undefined;
  }

  #beginOperation(application: Application, work: Work): void {
    const id = JSON.stringify(application.operation);
    const isNew = application.status?.operationState === undefined;
    if (isNew && work.overlooked !== id && this.parts.settings().overlooks()) work.overlooked = id;
    else work.operation = new OperationRun(this, application);
  }

  #liveChanged(name: string, before: KubeObject | undefined, after: KubeObject | undefined): void {
    if (this.#isDown) return;
    const key = `${this.parts.namespace}/${name}`;
    const application = this.#read(key);
    if (!application) return;
    this.#of(key).operation?.liveChanged();
    if (isNews(before, after, this.parts.settings())) this.#queue(key, 1);
    if (isDeleting(application) && !application.operation) finalize(this, application);
  }

  #queue(key: string, level: Level): void {
    if (this.#isDown) return;
    const work = this.#of(key);
    // What a resource's change asks for while the Application is compared may get lost, as with the real one.
    if (work.comparing && level === 1 && this.parts.settings().losesNews()) return;
    work.level = Math.max(work.level, level) as Level;
    if (work.comparing || work.queued) return;
    work.queued = true;
    const turn = this.parts.random.between(5, 40) + this.parts.settings().backlog();
    this.later(turn, () => {
      work.queued = false;
      this.#compare(key, work);
    });
  }

  #compare(key: string, work: Work): void {
    const application = this.#read(key);
    const level = work.level;
    work.level = 0;
    if (!application || level === 0 || isSkipped(application)) return;
    work.comparing = true;
    const began = this.now();
    const asked = application.metadata.annotations?.[REFRESH] !== undefined;
    const effective = asked ? 3 : level;
    // The picture is looked at somewhere between beginning and end.
    const early = this.parts.random.chance(0.5) ? this.#observe(application, effective) : undefined;
    this.later(this.parts.settings().comparison(), () => {
      work.comparing = false;
      const now = this.#read(key);
      if (!now) return;
      if (!this.project(now)) {
        this.parts.objects.update(now, (object) =>
          withoutProject(asApplication(object), this.now()),
        );
        return;
      }
      const seen = early ?? this.#observe(application, effective);
      if (seen !== 'nothing')
        this.#write(now, work, application, { ...seen, began, level: effective, asked });
      if (work.level !== 0) this.#queue(key, work.level);
      else {
        work.cancelResync();
        const resync = this.parts.settings().resync() * 1000;
        work.cancelResync = this.later(resync, () => this.#queue(key, 2));
      }
    });
  }

  #observe(application: Application, level: Level): Seen | 'nothing' {
    const { git } = this.parts;
    const { cache } = this.destination(application);
    const settings = this.parts.settings();
    const known = application.status?.sync?.revision;
    try {
      const lost = settings.unreachable(application);
      if (lost !== undefined) throw new ManifestError(`Failed to load live state: ${lost}`);
      const revision = level === 1 && known ? known : resolve(git, application);
      const wanted = wantedOf(git, application, revision);
      const comparison = compare(application, wanted, cache, settings);
      const stale = this.#endedWithin(application, settings.staleAfter());
      return { revision, comparison: stale ? asBefore(comparison) : comparison, error: undefined };
    } catch (error) {
      if (!(error instanceof ManifestError)) throw error;
      // Argo CD bears a repository that fails for a while, unless it was asked.
      if (level < 3 && !git.reachable) return 'nothing';
      const comparison = compare(application, undefined, cache, settings);
      const revision = sourceOf(application).targetRevision ?? 'HEAD';
      return { revision, comparison, error: error.message };
    }
  }

  #endedWithin({ status }: Application, seconds: number): boolean {
    const { finishedAt } = status?.operationState ?? {};
    if (finishedAt === undefined || seconds === 0) return false;
    return this.parts.time.calendar - Date.parse(finishedAt) < seconds * 1000;
  }

  #write(now: Application, work: Work, seen: Application, observed: Observed): void {
    work.managed = observed.comparison.managed;
    work.missed = undefined;
    const written = this.parts.objects.update(now, (object) =>
      compared(asApplication(object), seen, observed, this.now()),
    );
    if (written && !observed.error)
      autoSync(this, asApplication(written), observed.comparison, work);
  }

  #of(key: string): Work {
    const work = this.#work.get(key) ?? new Work();
    this.#work.set(key, work);
    return work;
  }
}
