// Cycles of random platforms: found if and only if the oracle finds one, and named as they are.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Diagnostic, TiphysError } from '../../src/errors.ts';
import { compile } from '../../src/plan/compile.ts';
import {
  finishOf,
  isCyclic,
  platformRelation,
  type Relation,
  shortestCycleLength,
  waitsFor,
} from './oracle.ts';
import { type PlatformData, platforms, render } from './platforms.ts';
import { holds, repeatable } from './repeatable.ts';

repeatable(20_260_103, 400);

function diagnosticsOf(data: PlatformData): readonly Diagnostic[] {
  try {
    compile({ file: 'platform.yaml', text: render(data) });
    return [];
  } catch (error) {
    if (error instanceof TiphysError) return error.diagnostics;
    throw error;
  }
}

test('a cycle is reported if and only if there is one', () => {
  let cyclic = 0;
  holds(
    fc.property(platforms, (data) => {
      const expected = isCyclic(platformRelation(data)) ? ['graph-cycle'] : [];
      cyclic += expected.length;
      expect(diagnosticsOf(data).map(({ code }) => code)).toEqual(expected);
    }),
  );
  // Both kinds must be common, or the property says little.
  expect(cyclic).toBeGreaterThan(100);
  expect(cyclic).toBeLessThan(300);
});

const cyclicPlatforms = platforms.filter((data) => isCyclic(platformRelation(data)));

test('the message names a true cycle of the least length', () => {
  holds(
    fc.property(cyclicPlatforms, (data) => {
      const graph = platformRelation(data);
      const [, text = ''] = /: (.*)\.$/.exec(diagnosticsOf(data)[0]?.message ?? '') ?? [];
      const names = text.split(' -> ');
      expect(names.length).toBeGreaterThan(2);
      expect(names.at(-1)).toBe(names[0]);
      expect(names.filter((name, at) => name === names[at + 1])).toEqual([]);
      // The message writes a stack once where the cycle goes through its close and its open in a row.
      const lengths = spellings(names.slice(0, -1))
        .filter((ids) => isCycle(graph, ids))
        .map((ids) => ids.length);
      expect(Math.min(...lengths)).toBe(shortestCycleLength(graph));
    }),
  );
});

/** All the nodes that the names can stand for. */
function spellings(names: readonly string[]): string[][] {
  const [first, ...rest] = names;
  if (first === undefined) return [[]];
  const [open, close] = [`open:${first}`, `close:${first}`];
  // An application called `platform` keeps its prefix: the bare word means something else.
  const application = first === 'app:platform' ? first : `app:${first}`;
  const here = first.startsWith('stack:') ? [[open], [close], [close, open]] : [[application]];
  return spellings(rest).flatMap((tail) => here.map((head) => [...head, ...tail]));
}

function isCycle(graph: Relation, ids: readonly string[]): boolean {
  const once = new Set(ids).size === ids.length;
  return once && ids.every((id, at) => waitsFor(graph, id, ids[(at + 1) % ids.length] ?? ''));
}

test('its details are the lines where the dependencies of the cycle are written', () => {
  holds(
    fc.property(cyclicPlatforms, (data) => {
      const [diagnostic] = diagnosticsOf(data);
      const lines = render(data).split('\n');
      const edges = (diagnostic?.details ?? []).flatMap((detail) => [
        ...detail.matchAll(/^line (\d+): (\S+) dependsOn (\S+)$/g),
      ]);
      expect(edges.length).toBeGreaterThan(0);
      expect(String(diagnostic?.line)).toBe(edges[0]?.[1]);
      for (const [, line, from = '', to = ''] of edges) {
        const written = lines[Number(line) - 1]?.replace(/^ *- /, '').replaceAll("'", '') ?? '';
        expect(finishOf(written)).toBe(finishOf(to));
        expect(diagnostic?.message).toContain(` ${from} -> ${to}`);
        const stack = data.stacks.find(({ name }) => from === `stack:${name}`);
        const bare = from.replace(/^app:/, '');
        const member = data.stacks.flatMap((s) => s.applications).find(({ name }) => name === bare);
        expect((stack ?? member)?.dependsOn.map(finishOf)).toContain(finishOf(to));
      }
    }),
  );
});
