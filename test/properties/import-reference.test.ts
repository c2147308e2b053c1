// The reference platform, read as Git text: whatever import proposes of it is true by its own file.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { readFromFolder } from '../../src/cli/import/read-from-folder.ts';
import { propose } from '../../src/import/propose.ts';
import { processIo } from '../../src/process.ts';

interface Entry {
  readonly name: string;
  readonly dependsOn?: readonly string[];
}
interface File {
  readonly spec: {
    readonly stacks: readonly (Entry & { readonly applications: readonly Entry[] })[];
  };
}

const folder = join(import.meta.dirname, '../../examples/reference');

/** Every application with all that it waits for, through stacks too. */
function waitsFor(): (dependent: string, dependency: string) => boolean {
  const { stacks } = (load(readFileSync(join(folder, 'platform.yaml'), 'utf8')) as File).spec;
  const members = new Map(stacks.map(({ name, applications }) => [`stack:${name}`, applications]));
  const named = (reference: string) =>
    members.get(reference)?.map(({ name }) => name) ?? [reference];
  const next = new Map(
    stacks.flatMap((stack) =>
      stack.applications.map(({ name, dependsOn = [] }): [string, string[]] => [
        name,
        [...dependsOn, ...(stack.dependsOn ?? [])].flatMap(named),
      ]),
    ),
  );
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    (next.get(from) ?? []).some(
      (other) => other === to || (!seen.has(other) && reaches(other, to, seen.add(other))),
    );
  return (dependent, dependency) => reaches(dependent, dependency);
}

test('import proposes no wrong edge of the reference platform', async () => {
  const { signal } = new AbortController();
  const material = await readFromFolder(processIo, folder, { render: false, signal });
  const { edges, root } = propose(material, { platform: 'reference' });
  const isTrue = waitsFor();
  const proposed = edges.filter(({ status }) => status !== 'reported');
  const wrong = proposed.filter(({ dependent, dependency }) => !isTrue(dependent, dependency));
  expect(wrong.map(({ dependent, dependency }) => `${dependent} -> ${dependency}`)).toEqual([]);
  expect(proposed.filter(({ status }) => status === 'written').length).toBeGreaterThanOrEqual(20);
  expect(root).toBe('platform-root');
  expect(isTrue('metallb', 'harbor')).toBe(false);
});
