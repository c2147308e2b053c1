// What `tiphys __complete` offers, in this process. It must never fail, wait or print what a shell could act on.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { processIo } from '../../process.ts';
import { FAULTS } from '../../rehearsal/fault-table.ts';
import { parseFaults } from '../../rehearsal/parse-fault.ts';
import type { Io } from '../io.ts';
import { runCli } from '../run-cli.ts';

const scratch = mkdtempSync(join(tmpdir(), 'tiphys-complete-'));
afterAll(() => rmSync(scratch, { recursive: true }));
const path = (name: string) => join(scratch, name);
const write = (name: string, text: string): string => {
  mkdirSync(join(path(name), '..'), { recursive: true });
  writeFileSync(path(name), text);
  return path(name);
};

const platform = write(
  'my shop/platform.yaml',
  `apiVersion: tiphys.dev/v1alpha1
kind: Platform
metadata: {name: shop}
spec:
  stacks:
    - name: data
      environments: [production]
      gate: {approval: "Data loaded"}
      applications:
        - {name: db, dependsOn: [nowhere], gate: {approval: "Backup made"}}
        - {name: db-backup}
        - {name: '$(touch pwned)'}
        - {name: '--yes'}
        - {name: "x\\u001b[2J"}
        - {name: 7}
    - {name: web, applications: [{name: ui}]}
`,
);

interface World {
  readonly variables?: Readonly<Record<string, string>>;
  readonly io?: Partial<Io>;
}

async function offered(words: readonly string[], { variables = {}, io = {} }: World = {}) {
  const said = { stdout: '', stderr: '' };
  const own: Io = {
    ...processIo,
    stdout: (text) => (said.stdout += text),
    stderr: (text) => (said.stderr += text),
    environment: (name) => variables[name],
    endWithin: () => {},
    ...io,
  };
  expect(await runCli(['__complete', ...words], own)).toBe(0);
  expect(said.stderr).toBe('');
  return said.stdout.split('\n').slice(0, -1);
}

const shop = (kind: string, word: string) =>
  offered([kind, word, 'tiphys', 'deploy', '-f', platform]);

test('references of all environments, in the form that the word begins', async () => {
  const usual = ['platform', 'stack:data', 'stack:web', 'app:db', 'app:db-backup', 'app:ui'];
  expect(await shop('scope', '')).toEqual(usual);
  expect(await shop('scope', 'app:d')).toEqual(['app:db', 'app:db-backup']);
  expect(await shop('scope', 'db')).toEqual(['db', 'db-backup']);
  expect(await shop('reference', '')).toEqual([
    ...['db', 'db-backup', 'ui', 'stack:data', 'stack:web'],
  ]);
  expect(await shop('reference', 'app:u')).toEqual(['app:ui']);
  expect(await shop('approval', '')).toEqual(['db', 'stack:data']);
  expect(await shop('application', 'd')).toEqual(['db', 'db-backup']);
});

test('the platform file is the one of the line, as the shell has it', async () => {
  const escaped = platform.replace(' ', '\\ ');
  const lines = [
    ['-f', `'${platform}'`],
    ['-f', `"${platform}`],
    ['--file', escaped],
    [`--file=${platform}`],
    ['--file', '=', platform],
    ['-f', 'nowhere', '-f', platform],
    ['-f', '~/platform.yaml'],
  ];
  const world = { variables: { HOME: path('my shop') } };
  for (const line of lines)
    expect(await offered(['scope', 'app:u', 'tiphys', 'plan', ...line], world)).toEqual(['app:ui']);
});

test('without one on the line, it is that of the variable or the config file', async () => {
  const config = write('config.yaml', `file: 'my shop/platform.yaml'\n`);
  for (const variables of [{ TIPHYS_FILE: platform }, { TIPHYS_CONFIG: config }])
    expect(await offered(['scope', 'app:u', 'tiphys'], { variables })).toEqual(['app:ui']);
  expect(await offered(['scope', 'app:u', 'tiphys', '--config', config])).toEqual(['app:ui']);
});

test('contexts of the kubeconfig, but none that a shell or a terminal could act on', async () => {
  const names = [
    'prod',
    'arn:aws:eks:eu:1:cluster/a',
    'a@b',
    '$(id)',
    '`id`',
    'a;b',
    '-n',
    'a\u001b[2J',
    'a\nb',
  ];
  const contexts = names.map((name) => ({ name, context: {} }));
  const kubeconfig = write('kubeconfig', JSON.stringify({ contexts }));
  const world = { variables: { KUBECONFIG: kubeconfig } };
  expect(await offered(['context', ''], world)).toEqual(names.slice(0, 3));
  expect(await offered(['context', 'p', '--kubeconfig', kubeconfig])).toEqual(['prod']);
});

test('every fault that is offered is one', async () => {
  const ofApplication = await shop('fault', 'app:db');
  const others = (await shop('fault', '')).filter((line) => line.includes(' '));
  expect(ofApplication.length + others.length).toBe(FAULTS.length);
  expect(parseFaults([...ofApplication, ...others], ['db'])).toHaveLength(FAULTS.length);
  expect(await shop('fault', 'app:u')).toEqual(['app:ui']);
  expect(await shop('fault', "'app:db-backup deg")).toEqual(['app:db-backup degraded']);
});

test('what cannot be read offers nothing, and says nothing', async () => {
  const broken = write('broken.yaml', 'a: [');
  const large = write('large.yaml', `spec: {stacks: [{name: web}]}\n# ${'x'.repeat(5_000_000)}\n`);
  for (const file of ['nowhere.yaml', scratch, broken, large, '-'])
    expect(await offered(['scope', '', 'tiphys', 'plan', '-f', file])).toEqual([]);
  const wrong = { variables: { TIPHYS_CONFIG: broken } };
  expect(await offered(['scope', ''], wrong)).toEqual([]);
  expect(await offered(['context', ''], { variables: { KUBECONFIG: broken } })).toEqual([]);
  expect(await offered(['run', '', '-f', platform, '--kubeconfig', broken])).toEqual([]);
  for (const words of [[], ['nothing'], ['constructor'], ['--help'], ['scope', '-f']])
    expect(await offered(words, { variables: { TIPHYS_FILE: 'nowhere.yaml' } })).toEqual([]);
});

test('neither standard input nor a pipe is read', async () => {
  execFileSync('mkfifo', [path('pipe')]);
  const read: string[] = [];
  const readFile: Io['readFile'] = (name) => {
    read.push(name);
    return new Uint8Array();
  };
  for (const file of ['-', path('pipe'), '/dev/stdin', '/dev/zero'])
    expect(await offered(['scope', '', '-f', file], { io: { readFile } })).toEqual([]);
  expect(read).toEqual([]);
});

test('the process ends within a second, and starts no program for a login', async () => {
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: 'login',
    interactiveMode: 'Never',
  };
  const kubeconfig = write(
    'exec',
    JSON.stringify({
      'current-context': 'a',
      contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
      clusters: [{ name: 'a', cluster: { server: 'http://127.0.0.1:9' } }],
      users: [{ name: 'a', user: { exec } }],
    }),
  );
  const good = write(
    'good.yaml',
    'apiVersion: tiphys.dev/v1alpha1\nkind: Platform\nmetadata: {name: shop}\nspec: {stacks: [{name: web, applications: [{name: ui}]}]}\n',
  );
  const started: string[] = [];
  const ends: number[] = [];
  const io: Partial<Io> = {
    runProgram: async ({ program }) => {
      started.push(program);
      return { kind: 'missing' };
    },
    endWithin: (ms) => void ends.push(ms),
  };
  expect(await offered(['run', '', '-f', good, '--kubeconfig', kubeconfig], { io })).toEqual([]);
  expect({ started, ends }).toEqual({ started: [], ends: [1000] });
});
