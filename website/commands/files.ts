// Everything that is made from the commands: path and text.
import { readFileSync } from 'node:fs';
import { manOf, renderMan } from './man.ts';
import { pageOf, renderPage } from './markdown.ts';
import { allOf, programReference } from './reference.ts';

export const PAGES = 'docs/commands';
export const MAN = 'man';

export function commandFiles(): Map<string, string> {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const all = allOf(programReference());
  return new Map([
    ...all.map((one) => [`${PAGES}/${pageOf(one.name)}`, renderPage(one)] as const),
    ...all.map((one) => [`${MAN}/${manOf(one.name)}`, renderMan(one, version)] as const),
  ]);
}
