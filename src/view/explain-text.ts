// The chain from the question to the root cause, for people.

import { shortName } from '../plan/platform-graph.ts';
import { type Link, NOT_PROBED } from '../report/explanation.ts';
import { renderLines } from './lines.ts';

export function renderExplanation(links: readonly Link[]): string {
  const chain = links.filter(({ condition }) => condition !== NOT_PROBED);
  const unknown = links
    .filter(({ condition }) => condition === NOT_PROBED)
    .map(({ node, message }) => `${shortName(node)}: ${message}`);
  const [asked] = chain;
  const root = chain.at(-1);
  if (!asked || !root)
    return renderLines(['Its gate is open, and so is everything behind it.', ...unknown]);
  if (root.condition === 'open')
    return renderLines([`${shortName(asked.node)}: its gate is open.`, ...unknown]);
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
  const next = `next: fix "${name}" in Git, then run \`tiphys deploy\` again`;
  return renderLines([...lines, next]);
}
