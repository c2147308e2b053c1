// Where Helm starts, and what it takes for a chart: it prefers a folder to a chart of that name.
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import type { Io } from '../io.ts';
import { programRenderer } from './programs.ts';

const VALUES = '/tmp/tiphys-1/values.json';
const { signal } = new AbortController();

async function rendered(name: string) {
  const calls: Parameters<Io['runProgram']>[0][] = [];
  const io: Pick<Io, 'runProgram' | 'withFile'> = {
    runProgram: async (call) => {
      calls.push(call);
      return { kind: 'ended', status: 0, stdout: 'kind: X', stderr: '' };
    },
    withFile: (_, __, work) => work(VALUES),
  };
  const chart = { name, repository: 'https://charts.example', version: '1.2.3' };
  const request = { release: 'a', namespace: '', chart, valueFiles: ['v.yaml'], values: {} };
  const result = await programRenderer(io, '/repo', signal).helm(request);
  return { result, calls };
}

test('Helm starts where no folder is, for the chart of a repository', async () => {
  const { result, calls } = await rendered('redis');
  expect(result).toEqual({ text: 'kind: X' });
  expect(calls.map(({ folder }) => folder)).toEqual([dirname(VALUES)]);
  expect(calls[0]?.args).toEqual(
    expect.arrayContaining(['--values=/repo/v.yaml', '--repo=https://charts.example', 'redis']),
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
