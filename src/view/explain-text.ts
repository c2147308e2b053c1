// The chain down to the root cause, as text.

import { shortName } from '../plan/platform-graph.ts';
import {
  type ExplainedRun,
  type Explanation,
  type Link,
  NOT_PROBED,
} from '../report/explanation.ts';
import { renderLines, renderParts } from './lines.ts';
import { renderWhere } from './where-text.ts';

export function renderExplanation({ platform, where, chain, run }: Explanation): string {
  return renderParts([renderWhere(platform, where), renderChain(chain, run)]);
}

function renderChain(links: readonly Link[], run: ExplainedRun | null): string {
  const chain = links.filter(({ condition }) => condition !== NOT_PROBED);
  const unknown = links
    .filter(({ condition }) => condition === NOT_PROBED)
    .map(({ node, message }) => `${shortName(node)}: ${message}`);
  const [asked] = chain;
  const root = chain.at(-1);
  if (!asked || !root) return renderLines(['Healthy, with all its dependencies.', ...unknown]);
  if (root.condition === 'open')
    return renderLines([`${shortName(asked.node)}: healthy.`, ...unknown]);
  const lines = chain.map(({ node, message, resource }, at) => {
    const what = resource ? `${resource}: ${message}` : message;
    const lead = at === 0 ? '' : `${'  '.repeat(at)}because `;
    return `${lead}${shortName(node)}: ${what}`;
  });
  const name = shortName(root.node);
  if (root.condition === 'approved') {
    const choice = `next: \`tiphys approve ${name}\`, or \`tiphys approve ${name} --deny\``;
    return renderLines([...lines, choice]);
  }
  return renderLines([...lines, `next: ${nextStep(root, run)}`]);
}

/** Only what does not get better by itself is to be fixed. */
function nextStep({ node, broken }: Link, run: ExplainedRun | null): string {
  const name = shortName(node);
  const isActive = run?.state === 'active';
  if (broken) {
    return isActive
      ? `fix "${name}" in Git; run ${run.run} is active and tries again while it has attempts left`
      : `fix "${name}" in Git, then run \`tiphys deploy\` again`;
  }
  if (isActive) return `wait: run ${run.run} is active; follow it with \`tiphys status --watch\``;
  return run
    ? `run ${run.run} was interrupted; rerun its command to resume it`
    : `nothing is wrong with "${name}": it is not deployed yet, or waits; run \`tiphys deploy\``;
}
