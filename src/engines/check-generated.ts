// Problems of a generated member before the first write.
import type { Diagnostic } from '../errors.ts';
import { quote } from '../model/names.ts';
import { type Listed, selectionOf } from '../node/select-generated.ts';
import type { PlanNode } from '../plan/plan.ts';
import { shortName } from '../plan/platform-graph.ts';
import { hydrated } from './hydrated.ts';

/** `isMade`: a parent that the plan syncs creates its generator. If there are too few Applications, the run waits. */
export function wrongGenerated(node: PlanNode, isMade: boolean, listed: Listed): Diagnostic[] {
  const { views, wrong, waits } = selectionOf(node, listed);
  const found = views.flatMap(hydrated);
  const name = quote(shortName(node.id));
  if (wrong !== undefined) {
    return [
      {
        code: 'generated-names',
        message: `Generated member ${name} cannot be deployed: ${wrong}.`,
        hint: 'Correct `names`, `argocd.project` or `selector` of the member, or the generator.',
      },
      ...found,
    ];
  }
  if (waits === undefined || isMade || !isAbsent(node, listed)) return found;
  return [
    {
      code: 'application-missing',
      message: `Generated member ${name} cannot be deployed: ${waits}.`,
      hint: 'Create its generator, or name the Application that creates it (`root`, or `application` of its stack).',
    },
    ...found,
  ];
}

/** Nothing exists that could create them. What creates the Applications of a selector is unknown. */
function isAbsent({ generated, argocd }: PlanNode, { sets }: Listed): boolean {
  const named = generated?.applicationSet;
  if (named === undefined) return false;
  return !sets.some(({ name, namespace }) => name === named && namespace === argocd?.namespace);
}
