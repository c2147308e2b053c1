// What deploy does on a cluster that has nothing: the executor bootstraps it, the command does not without being told.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import type { FollowOptions, Io } from '../../../src/cli/io.ts';
import { runCli } from '../../../src/cli/run-cli.ts';
import { processIo } from '../../../src/process.ts';
import { type EmptyCluster, emptyCluster } from '../../fakes/empty-cluster.ts';
import { preflightWorld } from '../../fakes/preflight-world.ts';
import { execute } from './executor.ts';

const scratch = mkdtempSync(join(tmpdir(), 'tiphys-empty-'));
afterAll(() => rmSync(scratch, { recursive: true }));

const CHARTS = join(scratch, 'charts');

const ENVIRONMENT_FILE = `name: staging\ndomain: example.org\ngitRepository: file://${scratch}\ngitRevision: main\n`;
const PLATFORM = `apiVersion: tiphys.dev/v1alpha1
kind: Platform
metadata: {name: small}
spec:
  root: small-root
  stacks:
    - name: one
      applications: [{name: a}]
`;

let cluster: EmptyCluster;
beforeEach(async () => {
  cluster = await emptyCluster();
});
afterEach(() => cluster.close());

const ROLE = { role: 'argocd' };
const task = { ...ROLE, phase: 'apply', task: 'Install' };
const result = { version: null, chart: null, revision: null };

/** An Ansible whose first role fails. */
const FAILS = [
  { type: 'role.started', ...ROLE },
  { type: 'phase.started', ...ROLE, phase: 'apply' },
  {
    type: 'task.finished',
    ...task,
    status: 'failed',
    message: 'no room',
    object: 'release argocd',
  },
  { type: 'role.finished', ...ROLE, ...result, status: 'failed' },
];

function ansible(lines: readonly object[] = FAILS) {
  const calls: (readonly string[])[] = [];
  const io: Partial<Io> = {
    runProgram: ({ program, args }) => preflightWorld().run(program, ...args),
    follow: async (_: string, args: readonly string[], { heard }: FollowOptions) => {
      calls.push(args);
      for (const line of lines) heard(JSON.stringify(line));
      return 2;
    },
    listFolder: (path) =>
      [CHARTS, '/config/charts'].includes(path)
        ? [{ name: 'argo-cd-9.3.7.tgz', isFolder: false }]
        : processIo.listFolder(path),
  };
  return { io, calls };
}

const container = (io: Partial<Io>, environment: Readonly<Record<string, string>> = {}) => ({
  environment: {
    ...{ ENVIRONMENT: 'staging', KUBECONFIG_DATA: btoa(cluster.kubeconfig) },
    ...environment,
  },
  mounts: {
    ...{ '/config/environment.yaml': ENVIRONMENT_FILE, '/config/dag.yaml': PLATFORM },
    '/config/charts': '',
  },
  io,
});

test('the executor bootstraps it, and tells what becomes of each role', async () => {
  const { io, calls } = ansible();
  const ended = await execute(['deploy', '--image-source', '127.0.0.1:1'], container(io));
  expect(calls).toHaveLength(1);
  const { status, report, log } = ended;
  expect(report.failures).toEqual([
    {
      ...{ component: 'argocd', type: 'bootstrap-failed', message: 'no room' },
      resource: 'release argocd',
    },
  ]);
  expect(report.components[0]).toEqual({ name: 'argocd', state: 'failed', healthy: false });
  expect(report.recommendations[0]).toContain('Check pods and events');
  expect(report.summary).toMatchObject({ status: 'failure', platform: 'small', plan: null });
  expect(status).toBe(1);
  const said = log.map(({ level, phase, component, message }) => [
    level,
    phase,
    component,
    message,
  ]);
  expect(said).toContainEqual(['info', 'bootstrap', 'argocd', 'apply']);
  expect(said).toContainEqual(['error', 'bootstrap', 'argocd', 'apply: Install: failed']);
  expect(said.filter(([, phase]) => phase === 'preflight').map(([level]) => level)).toContain(
    'warn',
  );
  expect(ended.stdout + ended.stderr).not.toContain(btoa(cluster.kubeconfig));
});

test('what phase 0 finds wrong is what is told, and nothing is begun', async () => {
  const { io, calls } = ansible();
  const runProgram: Io['runProgram'] = async (call) =>
    call.program === 'kubeseal' ? { kind: 'missing' } : (io.runProgram as Io['runProgram'])(call);
  const ended = await execute(['deploy'], container({ ...io, runProgram }));
  expect(ended.report.failures).toEqual([
    { component: 'executor', type: 'tool-missing', message: 'tool:kubeseal: not on PATH' },
  ]);
  const [error] = ended.log.filter(({ level }) => level === 'error');
  expect(error).toMatchObject({ phase: 'preflight', code: 'tool-missing' });
  expect([ended.status, calls, cluster.writes]).toEqual([3, [], []]);
});

test('without Ansible in the image it says which image has it', async () => {
  const { io, calls } = ansible();
  const runProgram: Io['runProgram'] = async () => ({ kind: 'missing' });
  const { status, report } = await execute(['deploy'], container({ ...io, runProgram }));
  expect(report.failures.map(({ type }) => type)).toEqual(['tool-missing', 'argocd-not-found']);
  expect(report.recommendations.join()).toContain('`bootstrap`');
  expect([status, calls, cluster.writes]).toEqual([3, [], []]);
});

test.each([
  ['a dry run', 'deploy', { DRY_RUN: 'true' }],
  ['a validation', 'validate', {}],
])('%s changes nothing', async (_, action, environment) => {
  const { io, calls } = ansible();
  const { status, report } = await execute([action], container(io, environment));
  expect(report.failures.map(({ type }) => type)).toEqual(['argocd-not-found']);
  expect([status, calls, cluster.writes]).toEqual([3, [], []]);
});

/** The command, with somebody at the terminal who answers so, or with nobody. */
async function deploy(answer: string | undefined, ...options: string[]) {
  const files = { 'platform.yaml': PLATFORM, 'environment.yaml': ENVIRONMENT_FILE };
  for (const [name, text] of Object.entries({ ...files, kubeconfig: cluster.kubeconfig })) {
    writeFileSync(join(scratch, name), text);
  }
  mkdirSync(CHARTS, { recursive: true });
  const { io, calls } = ansible();
  let told = '';
  const asked: string[] = [];
  const world: Io = {
    ...processIo,
    ...io,
    stdout: () => {},
    stderr: (text) => {
      told += text;
    },
    environment: () => undefined,
    ask: async (question) => {
      asked.push(question);
      return answer;
    },
  };
  const file = (name: string) => join(scratch, name);
  const named = ['-f', file('platform.yaml'), '--kubeconfig', file('kubeconfig')];
  const more = ['--charts', CHARTS, '--image-source', '127.0.0.1:1'];
  const status = await runCli(['deploy', ...named, ...more, ...options], world);
  return { status, told, calls: calls.length, asked };
}

test('the command says what to do where nobody is at the terminal, and does nothing', async () => {
  const { status, told, calls } = await deploy(undefined);
  expect([status, calls, cluster.writes]).toEqual([3, 0, []]);
  expect(told).toContain('tiphys bootstrap');
});

test('asked at the terminal, it does what is answered', async () => {
  const no = await deploy('n');
  expect([no.status, no.calls, no.asked.length, cluster.writes]).toEqual([3, 0, 1, []]);
  const yes = await deploy('y');
  expect([yes.status, yes.calls]).toEqual([1, 1]);
});

test('told beforehand, it does not ask', async () => {
  const { status, calls, asked } = await deploy(undefined, '--bootstrap');
  expect([status, calls, asked]).toEqual([1, 1, []]);
});
