// All rows together: what fails at once, what is late, what nobody can look at.
import { expect, test } from 'vitest';
import { look, preflightWorld, WANTED } from '../../test/fakes/preflight-world.ts';
import { VirtualClock } from '../../test/fakes/virtual-clock.ts';
import { TiphysError } from '../errors.ts';
import { checkPrerequisites, prerequisitesFor } from './check-prerequisites.ts';

test('where everything is as it should be, every row passes', async () => {
  const report = await look();
  expect(report.rows.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
  expect(report).toMatchObject({ kind: 'Preflight', exitStatus: 0, counts: { failure: 0 } });
  expect(report.inventory).toMatchObject({
    version: 'v1.36.4',
    namespaces: ['default', 'kube-system'],
  });
});

test('ids are used once, and each section of the RFC has rows', async () => {
  const { rows } = await look();
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  expect([...new Set(rows.map(({ section }) => section))]).toEqual(
    [1, 2, 3, 4, 5, 6, 7].map((part) => `3.2.${part}`),
  );
});

const refused =
  (code: 'cluster-unreachable' | 'cluster-unauthorized' | 'kubeconfig-invalid') => async () => {
    throw new TiphysError([{ code, message: `It is ${code}.`, hint: 'Fix it.' }]);
  };
const NOT_JUDGED = 'not checked: the cluster cannot be read';

test.each([
  [
    'no kubeconfig',
    { world: { cluster: refused('kubeconfig-invalid') } },
    'credential:kubeconfig',
    3,
  ],
  [
    'no answer',
    { cluster: { version: refused('cluster-unreachable'), may: refused('cluster-unreachable') } },
    'cluster:api',
    1,
  ],
  [
    'not known',
    { cluster: { version: refused('cluster-unauthorized'), may: refused('cluster-unauthorized') } },
    'cluster:authentication',
    1,
  ],
] as const)(
  '%s: one row says why, all others that need the cluster refer to it',
  async (_, changes, id, exitStatus) => {
    const report = await look(changes);
    const told = report.rows.filter(
      ({ verdict, seen }) => verdict === 'failure' && seen !== NOT_JUDGED,
    );
    expect(told.map((row) => row.id)).toEqual([id]);
    expect(report.exitStatus).toBe(exitStatus);
    const needing = report.rows.filter(({ seen }) => seen === NOT_JUDGED);
    expect(needing.length).toBeGreaterThan(30);
    expect(report.rows.find((row) => row.id === 'nodes:ready')?.verdict).toBe('failure');
    expect(report.rows.find((row) => row.id === 'nodes:workers')?.verdict).toBe('warning');
  },
);

test('what is not known in time says so, and is waited for no longer', async () => {
  const never = () => new Promise<never>(() => undefined);
  const clock = new VirtualClock();
  const world = preflightWorld({ cluster: { nodes: never, dnsPods: never } });
  const report = await clock.until(checkPrerequisites(prerequisitesFor(WANTED), world, clock));
  expect(clock.monotonic()).toBeLessThan(30_000);
  const wrong = report.rows.filter(({ verdict }) => verdict !== 'pass');
  expect(wrong.map(({ id, verdict, code }) => [id, verdict, code])).toEqual([
    ['nodes:ready', 'failure', 'preflight-late'],
    ['nodes:schedulable', 'failure', 'preflight-late'],
    ['nodes:workers', 'warning', null],
    ['nodes:capacity', 'warning', null],
    ['dns', 'failure', 'preflight-late'],
  ]);
  for (const { seen } of wrong) expect(seen).toBe('not checked: no answer within 25 s');
  expect(report.exitStatus).toBe(1);
});

test('a password in an error is not shown', async () => {
  const address = 'https://me:s3cret@proxy.example.com';
  const nodes = async () => {
    const diagnostic = { code: 'cluster-unreachable', message: `No ${address}.` } as const;
    throw new TiphysError([{ ...diagnostic, hint: `Look at ${address}.` }]);
  };
  const report = await look({ cluster: { nodes } });
  expect(JSON.stringify(report)).toContain('***@proxy.example.com');
  expect(JSON.stringify(report)).not.toContain('s3cret');
});

test('a mistake of our own is not a verdict', async () => {
  const bug = async () => {
    throw new TypeError('x is not a function');
  };
  await expect(look({ cluster: { nodes: bug } })).rejects.toThrow('x is not a function');
});
