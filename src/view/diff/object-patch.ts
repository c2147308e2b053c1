// The two states of an object as the lines of a unified diff of their YAML.
import { structuredPatch } from 'diff';
import { withoutPasswords } from '../../errors.ts';
import type { ObjectDiff } from '../../report/platform-diff.ts';
import { renderYaml } from '../data.ts';

const CONTEXT = 3;
/** What differs in more lines than that is shown as removed and added whole: to find the least change takes too long. */
const EDITS_MAX = 1_000;

/** Empty for what stays. Without line ends. Each begins with a space, `+`, `-` or `@@`, so none can look like a heading. */
export function patchOf({ live, predicted, change }: ObjectDiff): readonly string[] {
  if (change === 'kept') return [];
  const [before, after] = [yamlOf(live), yamlOf(predicted)];
  const options = { context: CONTEXT, maxEditLength: EDITS_MAX };
  const found = structuredPatch('', '', before, after, undefined, undefined, options);
  const hunks = found?.hunks ?? [replaced(linesOf(before), linesOf(after))];
  // Only here, so that a password that changed is still a change.
  return hunks.flatMap((hunk) => [placeOf(hunk), ...hunk.lines]).map(withoutPasswords);
}

type Hunk = ReturnType<typeof structuredPatch>['hunks'][number];

const placeOf = ({ oldStart, oldLines, newStart, newLines }: Hunk): string =>
  `@@ -${rangeOf(oldStart, oldLines)} +${rangeOf(newStart, newLines)} @@`;

/** Of no lines the one before counts. */
const rangeOf = (start: number, lines: number): string =>
  `${lines === 0 ? start - 1 : start},${lines}`;

const replaced = (before: readonly string[], after: readonly string[]): Hunk => ({
  ...{ oldStart: 1, oldLines: before.length, newStart: 1, newLines: after.length },
  lines: [...before.map((line) => `-${line}`), ...after.map((line) => `+${line}`)],
});

const yamlOf = (object: object | undefined): string =>
  object === undefined ? '' : renderYaml(object, { sortKeys: true });

const linesOf = (text: string): string[] => (text === '' ? [] : text.slice(0, -1).split(/\n/));
