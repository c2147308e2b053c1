// The chain down to the root cause, as text.

import { shortName } from '../plan/platform-graph.ts';
import {
  type ExplainedRun,
  type Explanation,
  type Link,
  NOT_PROBED,
} from '../report/explanation.ts';
import { type Look, PLAIN, renderParts, type Text } from './lines.ts';
import { faint } from './tone.ts';
import { renderWhere } from './where-text.ts';
import { renderWrapped } from './wrap.ts';

export function renderExplanation(
  { platform, where, chain, run }: Explanation,
  look: Look = PLAIN,
): string {
  return renderParts([
    renderWhere(platform, where, look),
    renderWrapped(chainLines(chain, run), look),
  ]);
}

function chainLines(links: readonly Link[], run: ExplainedRun | null): Text[] {
  const chain = links.filter(({ condition }) => condition !== NOT_PROBED);
  const unknown = links
    .filter(({ condition }) => condition === NOT_PROBED)
    .map(({ node, message }) => `${shortName(node)}: ${message}`);
  const [asked] = chain;
  const root = chain.at(-1);
  if (!asked || !root) return ['Healthy, with all its dependencies.', ...unknown];
  if (root.condition === 'open') return [`${shortName(asked.node)}: healthy.`, ...unknown];
  const lines = chain.map(({ node, message, resource }, at) => {
    const what = resource ? `${resource}: ${message}` : message;
    const lead = at === 0 ? '' : `${'  '.repeat(at)}because `;
    return `${lead}${shortName(node)}: ${what}`;
  });
  const name = shortName(root.node);
  if (root.condition === 'approved') {
    const choice = `next: \`tiphys approve ${name}\`, or \`tiphys approve ${name} --deny\``;
    return [...lines, faint(choice)];
  }
  return [...lines, faint(`next: ${nextStep(root, run)}`)];
}

/** Advises a fix only for what does not recover without one. */
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
    : 'no run is active; run `tiphys deploy`';
}
