// From a cluster that has nothing to a platform that is deployed, with the documented commands alone. The tests build on each
// other, and leave Argo CD where there was none: `npm run test:stack -- --argocd none --full`.
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BootstrapReport } from '../../../src/bootstrap/bootstrap-report.ts';
import { bootstrapImage } from '../bootstrap-image.ts';
import { allCharts, argocdChart } from '../charts.ts';
import { executorImage } from '../executor-image.ts';
import type { Write } from '../kit/audit.ts';
import { BARE_USER, Bare, GIT_PAIR, REMOVER } from '../kit/bare.ts';
import { execute } from '../kit/executor-pod.ts';
import { full } from '../kit/full.ts';
import { stack } from '../kit/stack.ts';
import { deployed } from '../kit/tiphys.ts';
import { EXECUTOR } from '../kit/workflow-runs.ts';
import { pkiFile } from '../pki.ts';
import { podImages } from '../pod-images.ts';
import { EVENTS, eventTests, firstEventTest } from './events.ts';

const MINUTES = 60_000;
const IMAGE = 'localhost/executor:bootstrap';

const ARGOCD = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'argocd' } };
const SEALED = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'sealed-secrets' } };
const EVENT_FILES = {
  ...{ apiVersion: 'v1', kind: 'ConfigMap' },
  metadata: { name: 'tiphys-event-files', namespace: 'argo' },
};
const secret = (name: string) => ({
  ...{ apiVersion: 'v1', kind: 'Secret' },
  metadata: { name, namespace: 'argocd' },
});
const argo = (kind: string, name: string) => ({
  ...{ apiVersion: 'argoproj.io/v1alpha1', kind },
  metadata: { name, namespace: 'argocd' },
});

const statuses = ({ roles }: BootstrapReport) =>
  Object.fromEntries(roles.map(({ role, status }) => [role, status]));

const failures = ({ roles }: BootstrapReport) => roles.flatMap(({ failure }) => failure ?? []);

const ALL = ['argocd', 'argo-workflows', 'argo-events', 'sealed-secrets', 'gitops-handoff'];
const all = (status: string) => Object.fromEntries(ALL.map((role) => [role, status]));

describe.runIf(full)('bootstrap', { timeout: 15 * MINUTES }, () => {
  let bare: Bare;
  let good: string[];

  beforeAll(async () => {
    bare = await Bare.create(stack(), { events: EVENTS });
    const { config } = bare.stack;
    await podImages(config);
    await executorImage(config, EXECUTOR);
    good = ['--charts', bare.charts('good')];
    await allCharts(config, bare.charts('good'));
    await argocdChart(config, bare.charts('bad'), { dropsSettings: true });
  }, 10 * MINUTES);

  afterAll(() => bare?.close());

  const token = async () => {
    const found = await bare.stack.read(secret('tiphys-argocd-token'));
    return (found as { data?: { token?: string } } | undefined)?.data?.token ?? '';
  };

  const chartFile = async (name: string) => {
    const names = await readdir(bare.charts('good'));
    return names.filter((one) => one.startsWith(name)).map((one) => join(bare.charts('good'), one));
  };

  /** As Argo CD reads it. */
  const gitSecret = async () => {
    const found = await bare.stack.read(secret('tiphys-git-bare'));
    const { username = '', password = '' } =
      (found as { data?: Record<string, string> } | undefined)?.data ?? {};
    const plain = (text: string) => Buffer.from(text, 'base64').toString();
    return { username: plain(username), password: plain(password) };
  };

  /** Comments of both files are a template for Ansible. They reach the cluster as they are, and nothing here has obeyed them. */
  const expectCommentsUntouched = async () => {
    const files = await bare.stack.read(EVENT_FILES);
    expect(files).toMatchObject({
      data: { 'dag.yaml': bare.platform, 'environment.yaml': bare.environment },
    });
    // Braces would give the template away.
    for (const text of [bare.platform, bare.environment]) expect(text).toMatch(/^#jinja2:[^{}]+$/);
    expect(existsSync(bare.obeyed)).toBe(false);
  };

  test('the command leaves an empty cluster alone where it was not told otherwise', async () => {
    const mark = await bare.stack.audit.mark();
    const { status, stderr } = await bare.run('deploy', '--secrets', 'secrets', ...good);
    expect(stderr).toContain('tiphys bootstrap');
    expect(status).toBe(3);
    expect(await bare.stack.audit.since(mark, { user: BARE_USER.name })).toEqual([]);
  });

  test('a value of environment.yaml that Ansible would take for a template is refused', async () => {
    const mark = await bare.stack.audit.mark();
    const { image } = EVENTS;
    const settings = { gitPath: bare.hostileText, domain: bare.hostileText };
    await bare.setEnvironment({
      ...settings,
      events: { ...EVENTS, image: image + bare.hostileText },
    });
    const { status, stderr } = await bare.run('bootstrap', '--secrets', 'secrets', ...good);
    for (const key of ['gitPath', 'domain', 'events.image']) expect(stderr).toContain(key);
    expect(status).toBe(3);
    expect(existsSync(bare.obeyed)).toBe(false);
    expect(await bare.stack.audit.since(mark, { user: BARE_USER.name })).toEqual([]);
    await bare.setEnvironment({ events: EVENTS });
  });

  test("in a pod of the empty cluster the executor's image bootstraps, and deploys", async () => {
    const { namespace } = BARE_USER;
    await bootstrapImage(bare.stack.config, IMAGE, bare.charts('good'));
    const authority = await readFile(pkiFile(bare.stack.config, 'ca.crt'), 'utf8');
    const files = {
      ...{ 'dag.yaml': bare.platform, 'environment.yaml': bare.environment },
      'ca.crt': authority,
    };
    const named = (kind: string, name: string, data: object) => ({
      ...{ apiVersion: 'v1', kind, metadata: { name, namespace } },
      [kind === 'Secret' ? 'stringData' : 'data']: data,
    });
    await bare.stack.apply(named('ConfigMap', 'config', files));
    await bare.stack.apply(named('Secret', 'secrets', { 'git-token': bare.gitPair }));
    const { status, report, log } = await execute(
      { stack: bare.stack, namespace },
      {
        ...{ action: 'deploy', image: IMAGE, serviceAccount: BARE_USER.account, writable: '/tmp' },
        environment: { ENVIRONMENT: 'production', NODE_EXTRA_CA_CERTS: '/config/ca.crt' },
        timeoutMs: 12 * MINUTES,
      },
    );
    expect(report.failures, log).toEqual([]);
    expect(report.components.filter(({ state }) => state !== 'healthy')).toEqual([]);
    expect(report.components.map(({ name }) => name)).toContain('api');
    expect(status).toBe(0);
    expect(log).not.toContain(bare.gitPair.split(':')[1]);
    expect(log).toContain('"phase":"bootstrap","component":"gitops-handoff"');
    await expectCommentsUntouched();
  });

  test('what it made is taken away again: they go, and the cluster is as it was', async () => {
    const seer = ['--kubeconfig', REMOVER];
    const planned = await bare.run('plan', 'teardown', '--inventory', '-o', 'json', ...seer);
    const { hash } = JSON.parse(planned.stdout).inventory;
    const gone = await bare.run('teardown', '--confirm', 'bare', '--expect', hash, ...seer);
    expect(gone.status, gone.stdout + gone.stderr).toBe(0);
    const { report, status } = await bare.remove();
    expect(statuses(report)).toEqual(all('success'));
    expect(status).toBe(0);
    const { stdout } = await bare.run('preflight', '-o', 'json', ...good);
    const rows: { id: string; seen: string }[] = JSON.parse(stdout).rows;
    const left = rows.filter(({ id, seen }) => id.startsWith('absent:') && seen !== 'absent');
    expect(left).toEqual([]);
  });

  test('--check says what would be changed, and changes nothing', async () => {
    const mark = await bare.stack.audit.mark();
    const { status, report } = await bare.bootstrap('--check', ...good);
    expect(report).toMatchObject({ check: true, exitStatus: 0 });
    expect(report.changed).toBeGreaterThan(0);
    expect(status).toBe(0);
    const writes = await bare.stack.audit.since(mark, { user: BARE_USER.name });
    const asked = ({ resource, dryRun }: Write) => dryRun || resource.startsWith('selfsubject');
    expect(writes.filter((write) => !asked(write))).toEqual([]);
    expect(await bare.stack.read(ARGOCD)).toBeUndefined();
  });

  test('a role whose validation fails is rolled back, and the run stops there', async () => {
    const { status, report } = await bare.bootstrap('--charts', bare.charts('bad'));
    expect(statuses(report)).toEqual({ ...all('not_reached'), argocd: 'rolled_back' });
    expect(report.roles[0]?.failure).toMatchObject({ phase: 'validate' });
    expect(report.roles[0]?.failure?.message).toContain('argocd-cm does not have');
    expect(status).toBe(1);
    expect(await bare.stack.read(ARGOCD)).toBeUndefined();
  });

  test('what a Helm that was killed has left is taken over', async () => {
    const labels = { 'app.kubernetes.io/managed-by': 'tiphys-bootstrap' };
    await bare.stack.apply({ ...SEALED, metadata: { ...SEALED.metadata, labels } });
    const [chart = ''] = await chartFile('sealed-secrets');
    const wrong = ['fullnameOverride=sealed-secrets-controller', 'image.tag=nothing'];
    await bare.helmCutOff('sealed-secrets', chart, ...wrong);
    const asked = { tiphys_charts: bare.charts('good'), tiphys_patience: 40 };
    const { status, stdout } = await bare.playbook('sealed_secrets', asked);
    expect(status, stdout).toBe(0);
  });

  test('after the cause is gone, running again succeeds', async () => {
    const { status, report, stdout, stderr } = await bare.bootstrap(...good);
    expect(failures(report)).toEqual([]);
    expect(statuses(report)).toEqual(all('success'));
    expect(status).toBe(0);
    expect(await bare.stack.read(secret('argocd-initial-admin-secret'))).toBeUndefined();
    const made = await token();
    expect(made).not.toBe('');
    expect(stdout).not.toContain(Buffer.from(made, 'base64').toString());
    expect(stdout).not.toContain(made);
    const [user = '', password = ''] = GIT_PAIR.split(':');
    expect(await gitSecret()).toEqual({ username: user, password });
    for (const text of [stdout, stderr]) expect(text).not.toContain(password);
  });

  test('comments of both files are no commands', () => expectCommentsUntouched());

  test('the project has the hold in it, and the root Application waits', async () => {
    const project = await bare.stack.read(argo('AppProject', 'bare'));
    expect(project).toMatchObject({
      metadata: { annotations: { 'tiphys.dev/hold': 'bare/bootstrap' } },
      spec: { syncWindows: [{ kind: 'deny', applications: ['api', 'bare-root', 'web'] }] },
    });
    const root = await bare.stack.read(argo('Application', 'bare-root'));
    expect(root).toMatchObject({ status: { sync: { status: 'OutOfSync' } } });
    expect(await bare.stack.read(argo('Application', 'web'))).toBeUndefined();
  });

  firstEventTest(() => bare);

  test('a second bootstrap changes nothing, and --deploy finds the platform as the push left it', async () => {
    const ended = await bare.bootstrap('--deploy', ...good);
    expect(failures(ended.report)).toEqual([]);
    expect(ended.report.changed).toBe(0);
    const { report } = deployed(ended);
    expect(report.nodes.filter(({ outcome }) => outcome !== 'unchanged')).toEqual([]);
    expect(ended.status).toBe(0);
  });

  test('a bootstrap after a deployment changes nothing, and the deployment stays', async () => {
    const { report } = await bare.bootstrap(...good);
    expect(failures(report)).toEqual([]);
    expect(report).toMatchObject({ exitStatus: 0, changed: 0 });
    const again = deployed(await bare.run('deploy', '-o', 'json'));
    expect(again.report.nodes.filter(({ outcome }) => outcome !== 'unchanged')).toEqual([]);
  });

  eventTests({
    bare: () => bare,
    bootstrap: async (role) => {
      const { report } = await bare.bootstrap('--only', role, ...good);
      expect(failures(report)).toEqual([]);
    },
  });

  test('--rotate-token makes a new token, and the old one is worth nothing', async () => {
    const before = await token();
    await writeFile(join(bare.folder, 'before'), Buffer.from(before, 'base64'));
    const { report } = await bare.bootstrap('--only', 'argocd', '--rotate-token', ...good);
    expect(statuses(report)).toEqual({ argocd: 'success' });
    expect(await token()).not.toBe(before);
    expect((await bare.run('validate')).status).toBe(0);
    const refused = await bare.run('validate', '--argocd-token-file', 'before');
    expect(refused.stderr).toContain('argocd-token-rejected');
  });

  test('the credential of Git is replaced by running again; one that is not taken is not handed over', async () => {
    const pair = 'reader:another-one';
    await bare.giveGitToken(pair);
    const early = await bare.run('bootstrap', '--only', 'gitops-handoff', '--secrets', 'secrets');
    expect(early.stderr).toContain('with the token it answers with 401');
    expect(early.status).toBe(3);
    expect(await gitSecret()).toMatchObject({ password: GIT_PAIR.split(':')[1] });
    bare.git.accept(pair);
    const { report } = await bare.bootstrap('--only', 'gitops-handoff', ...good);
    expect(failures(report)).toEqual([]);
    expect(report.changed).toBe(2);
    expect(await gitSecret()).toMatchObject({ password: 'another-one' });
  });

  test('the primitives do not go while there are Applications', async () => {
    const { report, status } = await bare.remove();
    expect(report.roles[0]).toMatchObject({ role: 'gitops-handoff', status: 'failed' });
    expect(report.roles[0]?.failure?.message).toContain('api, bare-root, web');
    expect(status).toBe(1);
  });
});
