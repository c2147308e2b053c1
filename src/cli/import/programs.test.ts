// Where Helm starts, and what it takes for a chart: it prefers a folder to a chart of that name, and follows links.
import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderWith } from '../../../test/fakes/folder.ts';
import type { ChartRequest } from '../../import/git/renderer.ts';
import { processIo } from '../../process.ts';
import type { Io } from '../io.ts';
import { programRenderer } from './programs.ts';

const VALUES = '/tmp/tiphys-1/values.json';
const { signal } = new AbortController();

async function helm(root: string, request: Pick<ChartRequest, 'chart' | 'valueFiles'>) {
  const calls: Parameters<Io['runProgram']>[0][] = [];
  const io: Parameters<typeof programRenderer>[0] = {
    ...processIo,
    runProgram: async (call) => {
      calls.push(call);
      return { kind: 'ended', status: 0, stdout: 'kind: X', stderr: '' };
    },
    withFile: (_, __, work) => work(VALUES),
  };
  const whole = { release: 'a', namespace: '', values: {}, ...request };
  const result = await programRenderer(io, root, signal).helm(whole);
  return { result, calls };
}

function rendered(name: string) {
  const chart = { name, repository: 'https://charts.example', version: '1.2.3' };
  return helm('/', { chart, valueFiles: ['v.yaml'] });
}

test('Helm starts where no folder is, for the chart of a repository', async () => {
  const { result, calls } = await rendered('redis');
  expect(result).toEqual({ text: 'kind: X' });
  expect(calls.map(({ folder }) => folder)).toEqual([dirname(VALUES)]);
  expect(calls[0]?.args).toEqual(
    expect.arrayContaining(['--values=/v.yaml', '--repo=https://charts.example', 'redis']),
  );
});

test.each(['/opt/chart', '../chart', './chart', 'a/../../chart', '-x/..', 'a//b'])(
  'a path is no name of a chart: %s',
  async (name) => {
    const { result, calls } = await rendered(name);
    expect([result, calls]).toEqual([
      { problem: `Its chart "${name}" is no name of a chart.` },
      [],
    ]);
  },
);

describe('a link that Helm would follow', () => {
  const repository = () =>
    folderWith({
      'chart/Chart.yaml': 'name: a',
      'chart/templates/a.yaml': '',
      'shared/x.yaml': '',
      'v.yaml': '',
    });
  const render = (root: string, valueFiles: readonly string[] = []) =>
    helm(root, { chart: { path: 'chart' }, valueFiles });
  const refused = (link: string) => ({
    result: { problem: `It is not rendered: ${link} is a link that leads out of the folder.` },
    calls: [],
  });

  test.each(['/etc/passwd', '/etc', '../../..'])('out of the folder, to %s', async (to) => {
    const root = repository();
    symlinkSync(to, join(root, 'chart/templates/out'));
    expect(await render(root)).toEqual(refused('chart/templates/out'));
  });

  test('by another link, in a folder that is not read otherwise', async () => {
    const root = repository();
    mkdirSync(join(root, 'node_modules'));
    symlinkSync('../node_modules', join(root, 'chart/files'));
    symlinkSync('/etc/hostname', join(root, 'node_modules/name'));
    expect(await render(root)).toEqual(refused('node_modules/name'));
  });

  test('as a file of values', async () => {
    const root = repository();
    symlinkSync('/etc/hostname', join(root, 'values.yaml'));
    expect(await render(root, ['v.yaml', 'values.yaml'])).toEqual(refused('values.yaml'));
  });

  test('inside of the folder, in a circle, or to nothing, is none', async () => {
    const root = repository();
    symlinkSync('../../shared', join(root, 'chart/templates/shared'));
    symlinkSync('..', join(root, 'chart/circle'));
    symlinkSync('gone', join(root, 'chart/nothing'));
    expect((await render(root, ['v.yaml'])).calls).toHaveLength(1);
  });
});
