// Looks at everything that a node depends on, and finds the root of the matter.
import type { Reference } from '../../model/names.ts';
import type { Plan } from '../../plan/plan.ts';
import { CLOSE_PLATFORM, closeOf, nodeOf } from '../../plan/platform-graph.ts';
import { explain, type Link } from '../../report/explanation.ts';
import { type LookParts, lookAtAll } from './look.ts';

export async function explainNode(
  plan: Plan,
  reference: Reference,
  parts: LookParts,
): Promise<readonly Link[]> {
  const nodes = plan.nodes.filter(
    ({ application, kind }) => application !== null && kind !== 'open',
  );
  const looks = await lookAtAll(nodes, parts);
  const seen = new Map(looks.map(({ node, unmet, evidence }) => [node.id, { unmet, evidence }]));
  return explain(plan, seen, idOf(reference));
}

function idOf(reference: Reference): string {
  if (reference.kind === 'platform') return CLOSE_PLATFORM;
  return reference.kind === 'stack' ? closeOf(reference.name) : nodeOf(reference.name);
}
