// What a deployment would change, as text: a heading for each application, and a unified diff for each object.
import { shortName } from '../../plan/platform-graph.ts';
import { renderResource } from '../../ports/application-view.ts';
import type { Change, Diff, DiffNode, ObjectDiff } from '../../report/platform-diff.ts';
import { renderAge } from '../age-text.ts';
import { renderLines, renderParts } from '../lines.ts';
import { selectorLines } from '../selector-text.ts';
import { plural } from '../table.ts';
import { renderWhere } from '../where-text.ts';
import { patchOf } from './object-patch.ts';

interface DiffTextOptions {
  /** All lines of each object. */
  readonly full: boolean;
}

/** Of one object. */
const LINES_MAX = 100;

const COUNTED: readonly (readonly [Change, string])[] = [
  ['changed', 'changed'],
  ['added', 'added'],
  ['pruned', 'to prune'],
  ['kept', 'not pruned'],
];

export function renderDiff(diff: Diff, options: DiffTextOptions): string {
  const { platform, where, nodes } = diff;
  return renderParts([
    renderWhere(platform, where),
    ...nodes.flatMap((node) => nodeParts(node, options)),
    renderLines(summary(diff)),
  ]);
}

function nodeParts(node: DiffNode, options: DiffTextOptions): string[] {
  const name = shortName(node.id);
  if (node.state === 'same') return [];
  if (node.state !== 'different') return [renderLines([`${name}: ${node.reason}`])];
  const { from, to } = node.revisions;
  const way = `${revisionText(from) || 'not deployed'} -> ${revisionText(to) || 'unknown'}`;
  const heading = `${name}: ${way}: ${countsText([node])} (compared ${renderAge(node.age)})`;
  return [
    renderLines([heading]),
    ...node.objects.map((object) => renderLines(objectLines(object, options))),
  ];
}

function objectLines(object: ObjectDiff, { full }: DiffTextOptions): string[] {
  const { change, reason } = object;
  const what = WHAT[change];
  const heading = `${renderResource(object)}: ${what}${reason === null ? '' : `: ${reason}`}`;
  if (change === 'kept') return [heading];
  const patch = patchOf(object);
  if (patch.length === 0) return [heading, '(only fields that are not shown differ)'];
  const shown = full ? patch : patch.slice(0, LINES_MAX);
  const more = patch.length - shown.length;
  return [
    heading,
    ...shown,
    ...(more > 0 ? [`... ${plural(more, 'more line')}; --full shows them`] : []),
  ];
}

const WHAT: Readonly<Record<Change, string>> = {
  changed: 'changed',
  added: 'added',
  pruned: 'pruned, because it is no longer in Git',
  kept: 'no longer in Git, and not pruned',
};

/** Commits as Git shortens them; versions of charts as they are. */
const revisionText = (revisions: readonly string[]): string =>
  revisions.map((one) => (/^[0-9a-f]{40}$/.test(one) ? one.slice(0, 7) : one)).join(', ');

function countsText(nodes: readonly DiffNode[]): string {
  const objects = nodes.flatMap((node) => node.objects);
  return COUNTED.flatMap(([change, word]) => {
    const count = objects.filter((one) => one.change === change).length;
    return count > 0 ? [`${count} ${word}`] : [];
  }).join(', ');
}

function summary({ nodes, refreshed, selector }: Diff): string[] {
  const of = (state: DiffNode['state']) => nodes.filter((node) => node.state === state);
  const [different, missing, unknown] = [of('different'), of('missing'), of('unknown')];
  const differs = different.length + missing.length;
  const counts = [
    ...(missing.length > 0 ? [`${missing.length} not created yet`] : []),
    ...(different.length > 0 ? [countsText(different)] : []),
  ].join('; ');
  return [
    ...selectorLines(selector),
    ...(unknown.length > 0
      ? [`${plural(unknown.length, 'application')} could not be compared`]
      : []),
    `${differs} of ${plural(nodes.length, 'application')} ${differs === 1 ? 'differs' : 'differ'}${counts === '' ? '' : `: ${counts}`}`,
    ...(refreshed
      ? []
      : ['Argo CD was not asked to refresh, so it may not know the latest commit; add --refresh.']),
  ];
}
