// What `tiphys diff` shows of applications that Argo CD compared, and that it leaves the cluster as it is.
import { expect } from 'vitest';
import { memberName } from '../kit/family.ts';
import type { Application } from '../kit/objects.ts';
import { QUICK } from '../kit/platform.ts';
import type { Scratch } from '../kit/scratch.ts';
import { test } from '../kit/test.ts';
import { Tiphys } from '../kit/tiphys.ts';
import { configMap } from '../kit/workloads.ts';

interface Shown {
  readonly nodes: readonly {
    readonly id: string;
    readonly state: string;
    readonly objects: readonly {
      readonly name: string;
      readonly change: string;
      readonly patch: string;
    }[];
  }[];
}

const VALUES = ['hunter-old', 'hunter-new', 'hunter-same'] as const;
const [OLD, NEW, SAME] = VALUES;
const secret = (value: string) => ({
  ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'secret' } },
  stringData: { changed: value, same: SAME },
});

const SUFFIXES = ['changed', 'secret', 'ignored', 'gone', 'synced'];
const APPLICATION = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application' };

const [BEFORE, AFTER] = [
  {
    'changed/map.yaml': configMap('changed', { sky: 'blue', sun: 'yellow' }),
    'changed/other.yaml': configMap('other', { a: '1' }),
    'secret/secret.yaml': secret(OLD),
    'ignored/map.yaml': configMap('ignored', { clock: '1' }),
    'gone/map.yaml': configMap('gone', {}),
    'gone/rest.yaml': configMap('rest', {}),
    'synced/map.yaml': configMap('synced', { a: '1' }),
  },
  {
    'changed/map.yaml': configMap('changed', { sky: 'grey', sun: 'yellow' }),
    'secret/secret.yaml': secret(NEW),
    'ignored/map.yaml': configMap('ignored', { clock: '2' }),
    'gone/map.yaml': null,
    'gone/new.yaml': configMap('new', { a: '1' }),
  },
];

async function deployedPlatform(scratch: Scratch): Promise<Tiphys> {
  await scratch.repository.commit(BEFORE);
  for (const suffix of SUFFIXES) await scratch.application(suffix, { path: suffix });
  const metadata = { name: memberName(scratch, 'ignored'), namespace: 'argocd' };
  await scratch.stack.change({ ...APPLICATION, metadata } as Application, ({ spec }) => {
    const rule = { kind: 'ConfigMap', jsonPointers: ['/data/clock'] };
    Object.assign(spec, { ignoreDifferences: [rule] });
  });
  const tiphys = new Tiphys(scratch);
  const names = [...SUFFIXES, 'absent'].map((suffix) => memberName(scratch, suffix));
  const applications = names.map((name) => ({ name }));
  await tiphys.platform({ ...QUICK, stacks: [{ name: 's', applications }] });
  const scope = names.slice(0, -1).flatMap((name) => ['--scope', name]);
  const { status, stdout } = await tiphys.deploy(...scope);
  expect(status, stdout).toBe(0);
  return tiphys;
}

const changed = (patch: string) => patch.split('\n').filter((line) => /^[+-]/.test(line));

test('the differences are those of Git, without values of Secrets, and nothing is written', async ({
  stack,
  scratch,
}) => {
  const tiphys = await deployedPlatform(scratch);
  const name = (suffix: string) => memberName(scratch, suffix);
  const same = await tiphys.run('diff', '--refresh', ...SUFFIXES.map(name));
  expect([same.status, same.stdout]).toEqual([0, expect.stringContaining('0 of 5 applications')]);
  await scratch.repository.commit(AFTER);
  // Argo CD's own marks of a refresh are the only writes.
  const refreshing = await stack.audit.mark();
  const json = await tiphys.run('diff', '--refresh', '-o', 'json');
  const ofRefresh = await stack.audit.since(refreshing, { name: new RegExp(scratch.name) });
  expect(json.status, json.stderr).toBe(2);
  // Its controller tells what it found in Events.
  const marked = ofRefresh.filter(({ resource }) => resource !== 'events');
  expect(new Set(marked.map(({ resource }) => resource))).toEqual(
    new Set(['applications.argoproj.io']),
  );
  expect(ofRefresh.filter(({ user }) => !/argocd/.test(user)).map(({ user }) => user)).toEqual([]);
  const { nodes } = JSON.parse(json.stdout) as Shown;
  const of = (suffix: string) => nodes.find(({ id }) => id === `app:${name(suffix)}`);
  const objects = (suffix: string) =>
    of(suffix)?.objects.map((one) => [one.name, one.change, changed(one.patch)]);
  expect(objects('changed')).toEqual([['changed', 'changed', ['-  sky: blue', '+  sky: grey']]]);
  const masked = ["-  changed: '*** (before)'", "+  changed: '*** (after)'"];
  expect(objects('secret')).toEqual([['secret', 'changed', masked]]);
  expect(objects('gone')?.map(([object, change]) => [object, change])).toEqual([
    ['gone', 'kept'],
    ['new', 'added'],
  ]);
  expect([of('ignored')?.state, of('synced')?.state, of('absent')?.state]).toEqual([
    ...['same', 'same', 'missing'],
  ]);
  // Without a refresh not even a mark is written.
  const mark = await stack.audit.mark();
  const text = await tiphys.run('diff', '--full');
  expect([text.status, text.stderr]).toEqual([2, '']);
  const since = await stack.audit.since(mark, { name: new RegExp(scratch.name) });
  // The controller compares in its own rounds, too.
  const written = since.filter(({ user }) => !/application-controller/.test(user));
  expect(written.map(({ user, verb, resource }) => [user, verb, resource])).toEqual([]);
  expect(text.stdout).toContain('+  sky: grey');
  for (const value of VALUES)
    for (const shown of [value, btoa(value)])
      expect(text.stdout + json.stdout).not.toContain(shown);
});
