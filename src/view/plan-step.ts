// What a plan does at a node, as text. A deployment visits the Application of a stack or of the platform twice: it syncs it
// before its members and checks its health after them.
import type { Plan, PlanNode } from '../plan/plan.ts';
import { shortName } from '../plan/platform-graph.ts';

const STEPS: Readonly<Record<PlanNode['kind'], string>> = {
  application: 'sync, health',
  open: 'sync',
  close: 'health',
};

export const stepOf = (action: Plan['action'], { kind }: PlanNode): string =>
  action === 'teardown' ? 'delete' : STEPS[kind];

/** Expected durations are those of deployments, not of teardowns. */
export const hasExpectedTimes = ({ action }: Pick<Plan, 'action'>): boolean => action === 'deploy';

/** The name in the file; for a generated member, also the pattern of its Applications. */
export const applicationText = ({ id, application, generated }: PlanNode): string =>
  generated ? `${shortName(id)} (${application})` : (application ?? '');
