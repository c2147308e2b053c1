// Stacks inside of stacks: what is refused, and what those inside take over.
import { describe, expect, test } from 'vitest';
import { TiphysError } from '../errors.ts';
import { STACK_DEPTH_MAX } from './limits.ts';
import { parsePlatform } from './platform.ts';

const HEAD =
  'apiVersion: tiphys.dev/v1alpha1\nkind: Platform\nmetadata: {name: p}\nspec:\n  root: top\n  stacks:\n';
const platformOf = (...lines: readonly string[]) => ({
  file: 'p.yaml',
  text: HEAD + lines.map((line) => `    - ${line}\n`).join(''),
});

function errorsOf(...lines: readonly string[]): string[] {
  try {
    parsePlatform(platformOf(...lines));
    return [];
  } catch (error) {
    if (!(error instanceof TiphysError)) throw error;
    return error.diagnostics.map(
      ({ line, column, code, message, hint }) => `${line}:${column} ${code}: ${message} | ${hint}`,
    );
  }
}

const stack = (name: string, parent?: string) =>
  `{name: ${name}, ${parent === undefined ? '' : `parent: ${parent}, `}applications: []}`;

describe('a parent', () => {
  test('may stand anywhere in the file', () => {
    expect(errorsOf(stack('a', 'b'), stack('b'))).toEqual([]);
  });

  test('that is not there', () => {
    expect(errorsOf(stack('outer'), stack('a', 'oter'))).toEqual([
      '8:25 reference-unknown: The platform has no stack "oter". | Did you mean "outer"?',
    ]);
  });

  test('that is the stack itself', () => {
    expect(errorsOf(stack('a', 'a'))).toEqual([
      '7:25 reference-self: Stack "a" is its own parent. | Name the stack that contains it, or remove `parent`.',
    ]);
  });

  test.each([
    [['a', 'b'], 'a -> b -> a'],
    [['a', 'b', 'c'], 'a -> b -> c -> a'],
  ])('of %j that are in a circle', (names, circle) => {
    const lines = names.map((name, at) => stack(name, names[(at + 1) % names.length]));
    // One outside leads into it, and comes first in the file.
    expect(errorsOf(stack('z', 'b'), ...lines)).toEqual([
      `8:25 graph-cycle: These stacks contain each other: ${circle}. | Remove one of their \`parent\` keys.`,
    ]);
  });

  test('of two circles, each is told once', () => {
    const lines = [stack('a', 'b'), stack('b', 'a'), stack('c', 'd'), stack('d', 'c')];
    expect(errorsOf(...lines).map((error) => error.split(' | ')[0])).toEqual([
      '7:25 graph-cycle: These stacks contain each other: a -> b -> a.',
      '9:25 graph-cycle: These stacks contain each other: c -> d -> c.',
    ]);
  });

  test('in a chain of as many as may be, and of one more', () => {
    const chain = (length: number) =>
      Array.from({ length }, (_, at) => stack(`s${at}`, at === 0 ? undefined : `s${at - 1}`));
    expect(errorsOf(...chain(STACK_DEPTH_MAX))).toEqual([]);
    expect(errorsOf(...chain(STACK_DEPTH_MAX + 5))).toEqual([
      expect.stringContaining('value-range: Stack "s64" is nested in 64 others; the maximum is 63'),
    ]);
  });

  test('in a circle of thousands', () => {
    const count = 20_000;
    const lines = Array.from({ length: count }, (_, at) => stack(`s${at}`, `s${(at + 1) % count}`));
    const found = errorsOf(...lines);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain('7:26 graph-cycle: These stacks contain each other: s0 -> s1 -> ');
    expect(found[0]).toContain('s19 -> ... -> s0.');
  });

  test('of a file that does not fit the schema is looked at all the same', () => {
    expect(errorsOf('{name: a, parent: b, aplications: []}').join()).toContain('no stack "b"');
  });
});

describe('a dependency', () => {
  // a contains b, b contains c; d is beside them.
  const tree = (of: {
    a?: string;
    b?: string;
    c?: string;
    d?: string;
    x?: string;
    y?: string;
    z?: string;
  }) => [
    `{name: a, application: own-a, dependsOn: [${of.a ?? ''}], applications: [{name: x, dependsOn: [${of.x ?? ''}]}]}`,
    `{name: b, parent: a, dependsOn: [${of.b ?? ''}], applications: [{name: y, dependsOn: [${of.y ?? ''}]}]}`,
    `{name: c, parent: b, dependsOn: [${of.c ?? ''}], applications: [{name: z, dependsOn: [${of.z ?? ''}]}]}`,
    `{name: d, dependsOn: [${of.d ?? ''}], applications: [{name: w}]}`,
  ];

  test.each([
    [{ x: 'stack:b' }],
    [{ x: 'z' }],
    [{ y: 'x' }],
    [{ z: 'x' }],
    [{ b: 'x' }],
    [{ c: 'x' }],
    [{ z: 'w' }],
    [{ d: 'stack:c' }],
  ])('%j is possible', (of) => expect(errorsOf(...tree(of))).toEqual([]));

  test.each([
    [{ z: 'stack:a' }, 'Stack "a" contains "app:z"'],
    [{ z: 'stack:b' }, 'Stack "b" contains "app:z"'],
    [{ y: 'stack:a' }, 'Stack "a" contains "app:y"'],
    [{ c: 'stack:a' }, 'Stack "a" contains "stack:c"'],
    [{ b: 'stack:a' }, 'Stack "a" contains "stack:b"'],
    [{ a: 'stack:b' }, 'Stack "a" contains "stack:b"'],
    [{ a: 'stack:c' }, 'Stack "a" contains "stack:c"'],
    [{ a: 'z' }, 'Stack "a" contains "app:z"'],
    [{ b: 'z' }, 'Stack "b" contains "app:z"'],
    [{ z: 'own-a' }, '"own-a" is the Application of a parent of "app:z"'],
    [{ c: 'own-a' }, '"own-a" is the Application of a parent of "stack:c"'],
    [{ z: 'top' }, '"top" is the Application of a parent of "app:z"'],
  ])('%j is not', (of, message) => {
    const found = errorsOf(...tree(of));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(`reference-contains: ${message}, so one cannot wait`);
  });

  test('on the Application of a stack elsewhere is one on that stack', () => {
    expect(errorsOf(...tree({ d: 'own-a' }))).toEqual([
      expect.stringContaining('Did you mean "stack:a"?'),
    ]);
  });
});

test('what a stack says holds inside of it, and the nearest wins', () => {
  const { stacks } = parsePlatform(
    platformOf(
      '{name: in, parent: mid, application: own, retries: {backoff: 1s}, applications: [{name: x}]}',
      '{name: mid, parent: out, timeouts: {sync: 2m}, argocd: {namespace: mid}, applications: []}',
      '{name: out, timeouts: {sync: 3m, health: 3m}, retries: {backoff: 3s}, argocd: {namespace: out, project: out}, applications: [{name: y}]}',
    ),
  );
  const [inner, , outer] = stacks;
  const [x, y] = [inner?.applications[0], outer?.applications[0]];
  expect(inner).toMatchObject({ parent: 'mid', address: { namespace: 'mid', project: 'out' } });
  for (const { settings } of [inner, x].flatMap((one) => one ?? [])) {
    expect(settings).toMatchObject({
      timeouts: { sync: 120, health: 180 },
      retries: { backoff: 1 },
    });
  }
  expect(x?.address).toMatchObject({ namespace: 'mid', project: 'out' });
  expect(y?.settings).toMatchObject({
    timeouts: { sync: 180, health: 180 },
    retries: { backoff: 3 },
  });
  expect(y?.address).toMatchObject({ namespace: 'out', project: 'out' });
});

test('an environment that does not have a stack has nothing inside of it', () => {
  const environment = {
    file: 'e.yaml',
    text: 'name: staging\ndomain: d.example\ngitRepository: https://git.example/p\ngitRevision: main\n',
  };
  const { stacks, absent } = parsePlatform(
    platformOf(
      '{name: in, parent: out, environments: [staging], applications: [{name: x}]}',
      '{name: out, environments: [production], applications: []}',
      '{name: other, applications: [{name: y}]}',
    ),
    environment,
  );
  expect(stacks.map(({ name }) => name)).toEqual(['other']);
  expect(absent.map((one) => one.with)).toEqual(['out', 'in', undefined]);
});
