// What a deployment would change, for programs: with a patch for each object instead of its two states.
import type { Diff } from '../../report/platform-diff.ts';
import { renderJson, renderLines } from '../lines.ts';
import { patchOf } from './object-patch.ts';

export function renderDiffJson({ nodes, ...diff }: Diff): string {
  const shown = nodes.map(({ objects, ...node }) => ({
    ...node,
    objects: objects.map((object) => {
      const { live: _, predicted: __, ...named } = object;
      return { ...named, patch: renderLines(patchOf(object)) };
    }),
  }));
  return renderJson({ ...diff, nodes: shown });
}
