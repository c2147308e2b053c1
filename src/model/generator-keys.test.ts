// Members that stand for whatever a generator has made: which keys go together, and whose names are whose.
import { describe, expect, test } from 'vitest';
import { TiphysError } from '../errors.ts';
import { fits, overlap } from './generator-keys.ts';
import { parsePlatform } from './platform.ts';

const parse = (members: readonly object[], spec: object = {}) => {
  const stacks = [{ name: 's', applications: members }];
  const file = {
    apiVersion: 'tiphys.dev/v1alpha1',
    kind: 'Platform',
    metadata: { name: 'p' },
    spec: { stacks, ...spec },
  };
  return parsePlatform({ file: 'platform.yaml', text: JSON.stringify(file) });
};

function problems(members: readonly object[], spec: object = {}): string[] {
  try {
    parse(members, spec);
    return [];
  } catch (error) {
    if (!(error instanceof TiphysError)) throw error;
    return error.diagnostics.map(({ code, message }) => `${code}: ${message}`);
  }
}

const shop = { name: 'shop', selector: { matchLabels: { team: 'shop' } } };
const tenants = { name: 'tenants', applicationSet: 'all-tenants' };

describe('a generated member', () => {
  test('has the pattern of its names in place of a name', () => {
    const [stack] = parse([
      { ...shop, names: 'shop-*', atLeast: 0, argocd: { project: 'a' } },
      { ...tenants, argocd: { project: 'b' } },
      { name: 'plain' },
    ]).stacks;
    expect(stack?.applications.map(({ address, generated }) => [address.name, generated])).toEqual([
      ['shop-*', { matchLabels: { team: 'shop' }, atLeast: 0 }],
      ['*', { applicationSet: 'all-tenants', atLeast: 1 }],
      ['plain', undefined],
    ]);
    expect(stack?.applications[2]).not.toHaveProperty('generated');
  });

  test.each([
    [{ ...shop, applicationSet: 'x' }, '"shop" has both "selector" and "applicationSet".'],
    [{ name: 'a', names: 'a-*' }, '"a" is a single Application, so it cannot have "names".'],
    [{ name: 'a', atLeast: 2 }, '"a" is a single Application, so it cannot have "atLeast".'],
    [{ name: 'shop', selector: { matchLabels: {} } }, '"shop" must select by 1 to 16 labels.'],
    [
      { ...shop, gate: { approval: 'Well?' } },
      '"shop" is a generated member, which cannot be combined with "approval".',
    ],
    [
      { ...shop, gate: { probe: { tcp: 'shop:80' } } },
      '"shop" is a generated member, which cannot be combined with "probe".',
    ],
  ])('is refused as %j', (member, message) => {
    expect(problems([member])).toEqual([`generated-invalid: ${message}`]);
  });

  test('selects by 16 labels and not by 17', () => {
    const labels = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`l${at}`, 'x']));
    const by = (count: number) => ({ name: 'a', selector: { matchLabels: labels(count) } });
    expect(problems([by(16)])).toEqual([]);
    expect(problems([by(17)])).toHaveLength(1);
  });

  test.each(['shop', 'a*b*', '', 'Shop-*', `${'a'.repeat(253)}*`])('has no names %j', (names) => {
    expect(problems([{ ...shop, names }])[0]).toMatch(/^value-unexpected: /);
  });
});

describe('what it is held by means nobody else', () => {
  const taken = (names: string, other: string) =>
    `generated-names: "shop" matches every Application "${names}" in project "default", and "${other}" can be one of them.`;

  test.each([
    [[shop, { name: 'api' }], {}, [taken('*', 'api')]],
    [[{ ...shop, names: 'shop-*' }, { name: 'shop-api' }], {}, [taken('shop-*', 'shop-api')]],
    [[{ ...shop, names: 'shop-*' }, { name: 'api' }], {}, []],
    [[{ ...shop, argocd: { project: 'own' } }, { name: 'api' }], {}, []],
    [[{ name: 'api', argocd: { project: 'other' } }, shop], {}, []],
    [[shop], { root: 'root' }, [taken('*', 'root')]],
    [[shop], { root: 'root', argocd: { project: 'p' } }, 1],
    [
      [
        { ...tenants, names: 'shop-a*' },
        { ...shop, names: 'shop-*' },
      ],
      {},
      [taken('shop-*', 'tenants')],
    ],
    [
      [
        { ...tenants, names: 'tenant-*' },
        { ...shop, names: 'shop-*' },
      ],
      {},
      [],
    ],
  ])('%j, %j', (members, spec, expected) => {
    if (typeof expected === 'number') expect(problems(members, spec)).toHaveLength(expected);
    else expect(problems(members, spec)).toEqual(expected);
  });

  test('the AppProject is that of the nearest place that names one', () => {
    const inner = { name: 'inner', parent: 's', applications: [shop] };
    const outer = { name: 's', applications: [], argocd: { project: 'teams' } };
    const other = {
      name: 'o',
      application: 'owner',
      argocd: { project: 'teams' },
      applications: [],
    };
    expect(problems([], { stacks: [outer, inner, other] })).toHaveLength(1);
    const own = { ...inner, argocd: { project: 'own' } };
    expect(problems([], { stacks: [outer, own, other] })).toEqual([]);
  });
});

describe('patterns', () => {
  const LETTERS = ['a', 'b'];
  const texts = (most: number): string[] =>
    most === 0
      ? ['']
      : ['', ...LETTERS.flatMap((one) => texts(most - 1).map((rest) => one + rest))];
  const names = [...new Set(texts(4))].filter((name) => name !== '');
  const ends = [...new Set(texts(2))];
  const patterns = ends.flatMap((prefix) => ends.map((suffix) => `${prefix}*${suffix}`));

  test('fit what is between their ends, and no name is used twice', () => {
    expect(fits('a*a', 'a')).toBe(false);
    expect(fits('a*a', 'aa')).toBe(true);
    expect(fits('*', 'x')).toBe(true);
    for (const pattern of patterns) {
      const expected = new RegExp(`^${pattern.replace('*', '.*')}$`);
      for (const name of names) expect(fits(pattern, name)).toBe(expected.test(name));
    }
  });

  test('overlap where some name fits both', () => {
    for (const one of patterns) {
      for (const other of patterns) {
        const both = names.some((name) => fits(one, name) && fits(other, name));
        expect([one, other, overlap(one, other)]).toEqual([one, other, both]);
      }
    }
  });
});
