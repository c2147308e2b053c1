// From some moment on nothing goes wrong any more: what was broken becomes well, and what people began is over.
import type { Rehearsal } from '../../src/rehearsal/rehearsal.ts';
import {
  applicationsIn,
  asApplication,
  withStatus,
} from '../../src/simulator/argocd/application.ts';
import { kindOf } from '../../src/simulator/cluster/served-kinds.ts';
import { isReady } from './truth.ts';

export const HEALS_MS = 3_000;
const HEALED = [{ after: HEALS_MS, stage: 'ready', message: '' }] as const;

export function heal(rehearsal: Rehearsal): void {
  const { faults, clusters, accounts, denied } = rehearsal;
  faults.end();
  denied.clear();
  for (const [token, { username }] of accounts) accounts.set(token, { username, may: () => true });
  for (const { objects, workloads } of clusters) {
    for (const object of objects.list(kindOf('apps/v1', 'Deployment')))
      workloads.play(object, isReady(object) ? [] : HEALED);
  }
  giveUp(rehearsal);
}

/** People end what they have begun and what hangs: Tiphys does not touch it. */
function giveUp({ objects }: Rehearsal): void {
  for (const application of applicationsIn(objects)) {
    const { operation, status } = application;
    const state = status?.operationState;
    if (operation?.initiatedBy?.username !== 'somebody' || state?.phase !== 'Running') continue;
    const operationState = { ...state, phase: 'Terminating' } as const;
    objects.update(application, (now) => withStatus(asApplication(now), { operationState }));
  }
}
