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
  { platform, where, node, chain, run }: Explanation,
  look: Look = PLAIN,
): string {
  return renderParts([
    renderWhere(platform, where, look),
    renderWrapped(chainLines(node, chain, run), look),
  ]);
}

function chainLines(node: string, links: readonly Link[], run: ExplainedRun | null): Text[] {
  const chain = links.filter(({ condition }) => condition !== NOT_PROBED);
  const unknown = links
    .filter(({ condition }) => condition === NOT_PROBED)
    .map((link) => `${shortName(link.node)}: ${link.message}`);
  const [asked] = chain;
  const root = chain.at(-1);
  if (!asked || !root)
    return [`${shortName(node)}: healthy, with all its dependencies`, ...unknown];
  if (root.condition === 'open') return [`${shortName(asked.node)}: healthy`, ...unknown];
  const reasons = chain.map(({ message, resource, ...link }) => {
    const what = resource ? `${resource}: ${message}` : message;
    return `${shortName(link.node)}: ${what}`;
  });
  // A stack, or the platform, that only its members keep shut is no link of the chain.
  const whole = asked.node === node ? [] : [`${shortName(node)}: not everything in it is healthy`];
  const lines = [...whole, ...reasons].map((line, at) =>
    at === 0 ? line : `${'  '.repeat(at)}because ${line}`,
  );
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
