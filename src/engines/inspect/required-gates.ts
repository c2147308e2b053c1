// Dependencies outside the scope are not synced, but their gates must be open.
import { type Diagnostic, TiphysError } from '../../errors.ts';
import { quote } from '../../model/names.ts';
import type { Judged } from '../../node/generated-members.ts';
import type { Plan, PlanNode } from '../../plan/plan.ts';
import { shortName } from '../../plan/platform-graph.ts';
import { judgedIn, type LookParts, lookAtAll } from './look.ts';

export interface RequiredGate {
  readonly node: PlanNode;
  /** For a generated member, the gates of its Applications. */
  readonly judged: readonly Judged[];
}

const DEPLOY_FIRST = 'Deploy it first, or add --with-dependencies.';

/** Throws with the list of those that are not Healthy. `whole` has the nodes that the plan leaves out. */
export async function requireHealthy(
  plan: Plan,
  whole: Plan,
  { refresh = true, ...parts }: Omit<LookParts, 'refresh'> & Partial<Pick<LookParts, 'refresh'>>,
  hint = DEPLOY_FIRST,
): Promise<RequiredGate[]> {
  const required = new Set(plan.requires);
  const nodes = whole.nodes.filter(({ id }) => required.has(id));
  const looks = await lookAtAll(nodes, { ...parts, refresh });
  const shut = looks.filter(({ unmet }) => unmet !== undefined);
  if (shut.length === 0) return looks.map((look) => ({ node: look.node, judged: judgedIn(look) }));
  throw new TiphysError(
    shut.map(
      ({ node, unmet }): Diagnostic => ({
        code: 'dependencies-not-healthy',
        message: `The scope depends on ${quote(shortName(node.id))}, which is not Healthy: ${unmet?.message}.`,
        hint:
          unmet?.condition === 'approved'
            ? `Approve it first: \`tiphys approve ${shortName(node.id)}\`.`
            : hint,
      }),
    ),
  );
}

/** A read-only look creates no Job: what to report of gates outside the scope that have a probe. */
export const unprobedOutside = (required: readonly RequiredGate[]): readonly string[] =>
  required
    .filter(({ node }) => node.gate.probe !== undefined)
    .map(
      ({ node }) =>
        `the scope depends on "${shortName(node.id)}", whose probe did not run because it is outside the scope`,
    );
