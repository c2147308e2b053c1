// S11: no sync is asked for unless what it depends on was approved as it is deployed, where somebody must approve it. And whoever is asked.
import { buildPlan } from '../../../src/plan/build-plan.ts';
import { Approver } from '../../../src/rehearsal/approver.ts';
import type { Rehearsal } from '../../../src/rehearsal/rehearsal.ts';
import type { Application } from '../../../src/simulator/argocd/application.ts';
import type { Change } from '../../../src/simulator/cluster/object-store.ts';
import type { TransportRequest } from '../../../src/targets/transport.ts';
import type { Life } from '../life.ts';
import { compiledOf } from '../mission.ts';
import type { World } from '../seeded-world.ts';
import { type Accuse, type Witness, writeOf } from '../witness.ts';
import { Deployed } from './deployed.ts';
import { asleep, watchDelay } from './gates.ts';

interface Parts {
  readonly world: World;
  readonly rehearsal: Rehearsal;
  readonly now: () => number;
  readonly accuse: Accuse;
}

const ANSWER_SECONDS = 2;
/** From somebody's look at it to the word about it, however slow the cluster is. */
const LOOK_MS = 30_000;

export function asked(parts: Parts): readonly Witness[] {
  const { world, rehearsal } = parts;
  const whole = buildPlan(compiledOf(world), { action: 'deploy' });
  const somebody = new Approver(rehearsal, whole, ANSWER_SECONDS);
  return [new Approvals(parts), { happened: (_, event) => somebody.event(event) }];
}

class Approvals implements Witness {
  readonly #parts: Parts;
  readonly #deployed: Deployed;
  /** By application, what was there when somebody said yes. */
  readonly #approved = new Map<string, Set<string>>();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#deployed = new Deployed(parts.now);
  }

  changed({ type, object }: Change): void {
    const { name, annotations } = object.metadata;
    if (object.kind === 'Application' && type !== 'DELETED')
      this.#deployed.changed(object as Application);
    if (object.kind !== 'ConfigMap' || !name.startsWith('tiphys-approval-')) return;
    const [, application = ''] = annotations?.['tiphys.dev/application']?.split('/') ?? [];
    if (annotations?.['tiphys.dev/decision'] !== 'approved') this.#approved.delete(application);
    else this.#approved.set(application, new Set(this.#deployed.lately(application, LOOK_MS)));
  }

  sent(life: Life, request: TransportRequest): void {
    const write = writeOf(request);
    if (write?.kind !== 'sync') return;
    const { world, now, accuse } = this.#parts;
    const slack = watchDelay(world) + asleep(life, now()) + 1_000;
    for (const name of world.reading.gates.get(write.application) ?? []) {
      if (!world.asking.has(name)) continue;
      const approved = this.#approved.get(name);
      const isApproved = this.#deployed.lately(name, slack).some((what) => approved?.has(what));
      if (!isApproved)
        accuse('S11', `${write.application} was asked for while ${name} was not approved`);
    }
  }
}
