// What an environment does not have is as if it had been deleted from the file by hand.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TiphysError } from '../../src/errors.ts';
import { buildPlan } from '../../src/plan/build-plan.ts';
import { compile } from '../../src/plan/compile.ts';
import { renderJson } from '../../src/view/data.ts';
import { ENVIRONMENT } from './full-platform.ts';
import { isIn } from './oracle.ts';
import { type PlatformData, platforms } from './platforms.ts';
import { holds, repeatable } from './repeatable.ts';

repeatable(20_260_105, 300);

const HERE = ENVIRONMENT.name;
const environment = { file: 'environment.yaml', text: JSON.stringify(ENVIRONMENT) };
const head = { apiVersion: 'tiphys.dev/v1alpha1', kind: 'Platform', metadata: { name: 'random' } };

function planOf(stacks: readonly object[]): string {
  // An environment must have something of the platform.
  const all = [...stacks, { name: 'everywhere', applications: [{ name: 'always-there' }] }];
  const text = JSON.stringify({ ...head, spec: { stacks: all } });
  try {
    const compiled = compile({ file: 'platform.yaml', text }, environment);
    return renderJson(buildPlan(compiled, { action: 'deploy' }));
  } catch (error) {
    if (error instanceof TiphysError) return error.message;
    throw error;
  }
}

const bare = (reference: string) => reference.replace(/^app:/, '');

/** The file with `environments`, and the one from which all that is not here was deleted. */
function bothFiles({ stacks }: PlatformData, isHere: (at: number) => boolean) {
  let at = 0;
  const marked = stacks.map((stack) => ({
    ...stack,
    said: isHere(at++),
    here: true,
    applications: stack.applications.map((one) => ({ ...one, here: isHere(at++) })),
  }));
  for (const stack of marked) {
    stack.here = marked.every(({ name, said }) => said || !isIn(stacks, stack.name, name));
  }
  const gone = new Set(
    marked.flatMap(({ name, here, applications }) => [
      ...(here ? [] : [`stack:${name}`]),
      ...applications.filter((one) => !here || !one.here).map((one) => one.name),
    ]),
  );
  const where = (here: boolean) => ({ environments: here ? ['staging', HERE] : ['staging'] });
  const optional = (names: readonly string[]) =>
    names.map((name) => (gone.has(bare(name)) ? { name, optional: true } : name));
  const left = (names: readonly string[]) => names.filter((name) => !gone.has(bare(name)));
  const written = marked.map(({ name, parent, said, dependsOn, applications }) => ({
    ...{ name, parent, ...where(said), dependsOn: optional(dependsOn) },
    applications: applications.map((one) => ({
      ...{ name: one.name, ...where(one.here), dependsOn: optional(one.dependsOn) },
    })),
  }));
  const deleted = marked
    .filter(({ here }) => here)
    .map(({ name, parent, dependsOn, applications }) => ({
      ...{ name, parent, dependsOn: left(dependsOn) },
      applications: applications
        .filter(({ here }) => here)
        .map((one) => ({ name: one.name, dependsOn: left(one.dependsOn) })),
    }));
  return { written, deleted, gone };
}

test('the plan is that of the file without it', () => {
  let smaller = 0;
  holds(
    fc.property(platforms, fc.infiniteStream(fc.boolean()), (data, flags) => {
      const { written, deleted, gone } = bothFiles(data, () => flags.next().value ?? true);
      if (gone.size > 0) smaller++;
      expect(planOf(written)).toBe(planOf(deleted));
    }),
  );
  expect(smaller).toBeGreaterThan(100);
});
