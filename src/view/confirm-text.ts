// What a deployment is about to change, for the user who is asked.
import { shortName } from '../plan/platform-graph.ts';
import type { DryRun } from '../report/dry-run-report.ts';
import type { Where } from '../report/where.ts';
import { type Look, PLAIN, printable, renderLines } from './lines.ts';
import { plural, renderTable } from './table.ts';
import { whereInShort } from './where-text.ts';

/** More rows push the question off the screen. */
const ROWS_MAX = 20;

const UNCHANGED =
  'Argo CD reports no changes. A newer commit in Git that it has not compared yet is deployed, too.';

/** As Argo CD saw it last: the deployment compares again. */
export function renderChanges({ nodes }: DryRun, look: Look = PLAIN): string {
  const changed = nodes.filter(({ would }) => would !== 'leave');
  if (changed.length === 0) return renderLines([UNCHANGED], look);
  const rows = changed
    .slice(0, ROWS_MAX)
    .map(({ id, would, reason }) => [`  ${shortName(id)}`, DONE[would], reason]);
  const more = changed.length - rows.length;
  return [
    renderLines([
      `This deployment changes ${changed.length} of ${plural(nodes.length, 'application')}:`,
    ]),
    renderTable(['  NAME', 'WILL', 'NOW'], rows, { look, shorten: ['NOW'] }),
    more > 0 ? renderLines([`  and ${more} more; \`tiphys deploy --dry-run\` lists them all`]) : '',
  ].join('');
}

const DONE: Readonly<Record<DryRun['nodes'][number]['would'], string>> = {
  sync: 'sync',
  leave: 'stay',
  'wait-for-parent': 'sync once it exists',
};

export const deployQuestion = (platform: string, where: Where | undefined): string =>
  printable(`Deploy "${platform}"${where ? ` to ${whereInShort(where)}` : ''}? [y/N]`);
