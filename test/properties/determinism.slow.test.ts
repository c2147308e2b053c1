// The same platform gives the same bytes, whatever the order in which its files say things.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { TiphysError } from '../../src/errors.ts';
import { buildPlan, type PlanOptions } from '../../src/plan/build-plan.ts';
import { compile } from '../../src/plan/compile.ts';
import { renderJson } from '../../src/view/data.ts';
import { ENVIRONMENT, FULL_NOW } from './full-platform.ts';
import { permutations } from './permutations.ts';
import { platforms, render } from './platforms.ts';
import { holds, repeatable } from './repeatable.ts';

repeatable(20_260_104, 1000);

const REFERENCE = new URL('../../examples/reference/platform.yaml', import.meta.url);

// JSON is YAML, and quick to write a thousand times.
const sourceOf = (value: unknown) => ({ file: 'a.yaml', text: JSON.stringify(value) });

/** The text of each plan, or what is wrong; not where it is wrong, for that does depend on the order. */
function plansOf(platform: unknown, environment: unknown, options: readonly PlanOptions[]): string {
  try {
    const compiled = compile(sourceOf(platform), sourceOf(environment));
    return options.map((one) => renderJson(buildPlan(compiled, one))).join('');
  } catch (error) {
    if (error instanceof TiphysError)
      return error.diagnostics.map(({ message }) => message).join('\n');
    throw error;
  }
}

test('all orders of a file that uses all of the format give the same plans', () => {
  const scopes = ['stack:zed', 'app:ibis', 'chi'];
  const optionsWith = (scope: readonly string[]): PlanOptions[] => [
    { action: 'deploy' },
    { action: 'teardown', scope, withDependencies: true },
  ];
  const expected = plansOf(FULL_NOW, ENVIRONMENT, optionsWith(scopes));
  expect(expected.match(/"hash": "sha256:[0-9a-f]{64}"/g)?.length).toBe(2);
  holds(
    fc.property(
      permutations(FULL_NOW),
      permutations(ENVIRONMENT),
      permutations(scopes),
      (platform, environment, scope) => {
        const options = optionsWith(scope as string[]);
        expect(plansOf(platform, environment, options)).toBe(expected);
      },
    ),
  );
});

test('all orders of the reference platform give the same plan', () => {
  const reference: unknown = load(readFileSync(REFERENCE, 'utf8'));
  const expected = plansOf(reference, ENVIRONMENT, [{ action: 'deploy' }]);
  expect(expected).toContain('"close:platform"');
  holds(
    fc.property(permutations(reference), (permuted) => {
      expect(plansOf(permuted, ENVIRONMENT, [{ action: 'deploy' }])).toBe(expected);
    }),
  );
});

test('all orders of a random platform give the same plans, or the same cycle', () => {
  const both: PlanOptions[] = [{ action: 'deploy' }, { action: 'teardown' }];
  const pairs = platforms.chain((data) => {
    const document: unknown = load(render(data));
    return fc.tuple(fc.constant(document), permutations(document));
  });
  holds(
    fc.property(pairs, ([document, permuted]) => {
      const expected = plansOf(document, ENVIRONMENT, both);
      expect(plansOf(permuted, ENVIRONMENT, both)).toBe(expected);
    }),
    { numRuns: 200 },
  );
});
