// What a plan does at a node, in words for people. A deployment visits the Application of a stack or of the platform twice:
// it is synced before its members, and must be healthy after them.
import type { Plan, PlanNode } from '../plan/plan.ts';
import { shortName } from '../plan/platform-graph.ts';

const STEPS: Readonly<Record<PlanNode['kind'], string>> = {
  application: 'sync, health',
  open: 'sync',
  close: 'health',
};

export const stepOf = (action: Plan['action'], { kind }: PlanNode): string =>
  action === 'teardown' ? 'delete' : STEPS[kind];

/** What is called by its name in the file, with the pattern of the names that it stands for. */
export const applicationText = ({ id, application, generated }: PlanNode): string =>
  generated ? `${shortName(id)} (${application})` : (application ?? '');
