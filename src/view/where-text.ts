// Where a command acts, in two lines at the top of what it prints.
import { quote } from '../model/names.ts';
import type { Where } from '../report/where.ts';
import { sourceText } from './defaults-text.ts';
import { type Look, PLAIN, printable } from './lines.ts';
import { renderWrapped } from './wrap.ts';

export function whereLines(platform: string, where: Where): string[] {
  const { context, user, environment, clusterName, recordedName } = where;
  const way = context === null ? 'from inside the cluster' : `context ${quote(context)}`;
  return [
    `Cluster:   ${clusterText(where)}, ${way}${user === null ? '' : `, user ${quote(user)}`}`,
    `Platform:  ${platform}, ${environment === null ? 'no environment file' : `environment ${quote(environment)}`}`,
    ...(clusterName !== null && recordedName !== null && clusterName !== recordedName
      ? [
          `warning: the environment file names cluster ${quote(clusterName)}, and this cluster is recorded as ${quote(recordedName)}`,
        ]
      : []),
    ...defaultsLine(where.defaults),
  ];
}

/** What was decided by something else than the command line. */
function defaultsLine(defaults: Where['defaults']): string[] {
  if (!defaults) return [];
  const named = defaults.map(
    ({ option, value, source }) => `${option} ${quote(value)} from ${sourceText(source)}`,
  );
  return [`Defaults:  ${named.join(', ')}`];
}

/** Empty where nothing is known, as in a rehearsal. */
export const renderWhere = (
  platform: string,
  where: Where | undefined,
  look: Look = PLAIN,
): string => (where ? renderWrapped(whereLines(platform, where), look) : '');

/** For a question: what is about to be changed, on one line. */
export function whereInShort(where: Where): string {
  const { environment } = where;
  const named = environment === null ? '' : `, environment ${quote(environment)}`;
  return printable(`cluster ${clusterText(where)}${named}`);
}

function clusterText({ clusterName, recordedName, server }: Where): string {
  if (recordedName !== null) return `${quote(recordedName)} (${server})`;
  return clusterName === null ? server : `${server} (not confirmed as ${quote(clusterName)})`;
}
