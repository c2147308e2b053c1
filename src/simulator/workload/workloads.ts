// Those who work on what was applied: the controllers of Kubernetes, and operators. They look at each new generation, begin,
// and are done after a time that the object itself says.

import type { Change, KubeObject, Objects } from '../cluster/object-store.ts';
import { kindOf } from '../cluster/served-kinds.ts';
import type { VirtualTime } from '../virtual-time.ts';
import { type Stage, statusWriter } from './workload-status.ts';

/** How an object says what becomes of it: seconds until it is ready, `never`, or `fails`. */
export const BECOMES = 'rehearsal.tiphys.dev/becomes';

export interface Step {
  /** Milliseconds after the new generation was seen. */
  readonly after: number;
  readonly stage: Stage;
  readonly message: string;
}

export interface WorkloadsParts {
  readonly time: VirtualTime;
  readonly objects: Objects;
  /** Milliseconds until a controller notices a change. */
  readonly notice: () => number;
  /** What a fault makes of the steps. */
  readonly disturbed: (object: KubeObject, steps: readonly Step[]) => readonly Step[];
}

const SECOND = 1_000;
/** A Deployment that fails says so when its deadline is over. */
const FAILS_AFTER = 10 * SECOND;

export class Workloads {
  readonly #parts: WorkloadsParts;
  /** By uid: the generation that is worked on, and how to stop. */
  readonly #work = new Map<string, { readonly generation: number; readonly cancel: () => void }>();

  constructor(parts: WorkloadsParts) {
    this.#parts = parts;
    parts.objects.onChange((change) => this.#changed(change));
  }

  /** Goes through these steps from now on, in place of the planned ones. */
  play(object: KubeObject, steps: readonly Step[]): void {
    const uid = object.metadata.uid ?? '';
    this.#work.get(uid)?.cancel();
    const cancels = steps.map(({ after, stage, message }) =>
      this.#parts.time.after(after, () => this.#write(object, stage, message)),
    );
    const cancel = () => {
      for (const stop of cancels) stop();
    };
    this.#work.set(uid, { generation: object.metadata.generation ?? 1, cancel });
  }

  #changed({ type, object }: Change): void {
    const { id } = kindOf(object.apiVersion, object.kind);
    if (!statusWriter(id)) return;
    const uid = object.metadata.uid ?? '';
    const known = this.#work.get(uid);
    if (type === 'DELETED') {
      known?.cancel();
      this.#work.delete(uid);
      return;
    }
    const generation = object.metadata.generation ?? 1;
    if (known && known.generation >= generation) return;
    const notice = this.#parts.notice();
    const steps = this.#parts.disturbed(object, stepsOf(object));
    this.play(
      object,
      steps.map((step) => ({ ...step, after: step.after + notice })),
    );
  }

  #write(object: KubeObject, stage: Stage, message: string): void {
    const { id } = kindOf(object.apiVersion, object.kind);
    const { objects, time } = this.#parts;
    objects.update(object, (now) => {
      const status = statusWriter(id)?.(now, { stage, message, now: time.calendar });
      return status ? { ...now, status } : now;
    });
  }
}

function stepsOf({ metadata, spec }: KubeObject): readonly Step[] {
  const becomes = metadata.annotations?.[BECOMES] ?? '0';
  const start = { after: 0, stage: 'starting', message: '' } as const;
  if (spec?.paused === true || spec?.suspend === true) return [{ ...start, stage: 'suspended' }];
  if (becomes === 'never') return [start];
  if (becomes === 'fails') return [start, { after: FAILS_AFTER, stage: 'failed', message: '' }];
  return [start, { after: Number(becomes) * SECOND, stage: 'ready', message: '' }];
}
