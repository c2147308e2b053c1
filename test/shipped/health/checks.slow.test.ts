// The checks that Tiphys ships: each with the cases it must have, and none that an odd object could break.
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { readChecks, readTests } from '../../../src/cli/health/health-files.ts';
import { type Check, kindName } from '../../../src/health/health-check.ts';
import { entriesOf } from '../../../src/health/render.ts';
import { type Case, testChecks } from '../../../src/health/test-checks.ts';
import { processIo } from '../../../src/process.ts';
import { lua, run } from '../../fakes/lua.ts';

const tests = await readTests(processIo, 'health');
const named = tests.map(({ check, cases }) => [kindName(check), check, cases] as const);

/** RFC 4.8, section 5.5 in brief. */
test.each([
  'ceph.rook.io/CephCluster',
  'acid.zalan.do/postgresql',
  'vault.banzaicloud.com/Vault',
  'temporal.io/TemporalCluster',
  'argoproj.io/Application',
])('there is one for %s', (kind) => {
  expect(named.map(([name]) => name)).toContain(kind);
});

describe.each(named)('%s', (_, check, cases) => {
  test('its cases pass', async () => {
    const { checks } = await testChecks([{ check, cases }], { lua, openLibs: false });
    expect(checks[0]?.cases.filter(({ passed }) => !passed)).toEqual([]);
  });

  test('it has the cases that every check must have', () => {
    expect(missingCases(check, cases)).toEqual([]);
  });

  test('its cases are of its kind', () => {
    const kinds = cases.map((one) => {
      const { apiVersion, kind } = objectOf(one) as { apiVersion: string; kind: string };
      return `${apiVersion.split('/')[0]}/${kind}`;
    });
    expect(new Set(kinds)).toEqual(new Set([kindName(check)]));
  });

  test('no odd value anywhere in an object breaks it', async () => {
    const plain = cases.filter(({ input }) => !input.includes('-'));
    expect(plain.length).toBeGreaterThan(1);
    const odd = plain.flatMap((one) => oddOnes(objectOf(one)));
    expect(await problemsWith(check, odd)).toEqual([]);
  });

  test('it needs no more than Argo CD gives to every check', () =>
    expect(check.openLibs).toBe(false));
});

/** Without a status, with an empty one, with odd types; and each status that the script can give. */
function missingCases(check: Check, cases: readonly Case[]): string[] {
  const names = cases.map(({ input }) => input.replace(/^testdata\/|\.yaml$/g, ''));
  const wanted = ['no-status', 'empty-status', 'strange-types'];
  const statuses = new Set([...check.script.matchAll(/status = "(\w+)"/g)].map(([, one]) => one));
  const given = new Set(cases.map(({ expected }) => expected?.status));
  return [
    ...wanted.filter((name) => !names.includes(name)),
    ...[...statuses, 'Healthy', 'Progressing'].filter((one) => one && !given.has(one)).map(String),
  ];
}

test('a missing case is noticed', () => {
  const [, check, cases] = named.find(([name]) => name === 'velero.io/Schedule') ?? named[0] ?? [];
  if (!check || !cases) throw new Error('no check');
  const without = (part: string) => cases.filter(({ input }) => !input.includes(part));
  expect(missingCases(check, without('no-status'))).toEqual(['no-status']);
  expect(missingCases(check, without('suspended'))).toEqual(['Suspended']);
  expect(missingCases(check, without('degraded'))).toEqual(['Degraded']);
});

test('a check that trusts its object is noticed', async () => {
  const script = 'return { status = "Healthy", message = obj.status.phase }';
  const check = { group: 'example.org', kind: 'Thing', file: '', script, openLibs: false };
  const object = { metadata: {}, status: { phase: 'Ready' } };
  expect((await problemsWith(check, oddOnes(object))).length).toBeGreaterThan(3);
});

const ODD: readonly unknown[] = [
  undefined,
  null,
  '',
  'odd',
  0,
  -1.5,
  true,
  [],
  ['odd'],
  {},
  { odd: {} },
];

/** The object with one of its parts replaced, for every part and every odd value. */
function oddOnes(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.keys(value).flatMap((key) => {
    const part = (value as Record<string, unknown>)[key];
    const replaced = [...ODD, ...oddOnes(part)];
    return replaced.map((odd) =>
      Array.isArray(value) ? value.with(Number(key), odd) : { ...value, [key]: odd },
    );
  });
}

function objectOf({ object, input }: Case): unknown {
  if ('problem' in object) throw new Error(`${input}: ${object.problem}`);
  return load(object.text);
}

async function problemsWith(check: Check, objects: readonly unknown[]): Promise<string[]> {
  return (await Promise.all(objects.map((object) => problem(check, object)))).flat();
}

/** An error, or no health at all. */
async function problem(check: Check, object: unknown): Promise<string[]> {
  const result = await run(check.script, object);
  if ('error' in result) return [`${result.error}: ${JSON.stringify(object)}`];
  return result.health.status === '' ? [`no status: ${JSON.stringify(object)}`] : [];
}

test('all entries together leave argocd-cm room for the rest', async () => {
  const entries = await entriesOf(readChecks(processIo, 'health'), lua);
  const bytes = [...entries].reduce((sum, [key, text]) => sum + key.length + text.length, 0);
  expect(bytes).toBeLessThan(100_000);
});
