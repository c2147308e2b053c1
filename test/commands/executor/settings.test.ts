// Every row of the tables of variables and mounts, as far as no cluster is needed: what is right is taken, what is wrong is
// named, and everything that is wrong is told at once.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Container, execute } from './executor.ts';

const ENVIRONMENT_FILE =
  'name: production\ndomain: example.org\ngitRepository: https://git.example.org/p\ngitRevision: main\n';
const PLATFORM = `apiVersion: tiphys.dev/v1alpha1
kind: Platform
metadata: {name: shop}
spec:
  stacks:
    - name: web
      applications: [{name: site}]
`;
const KUBECONFIG = 'apiVersion: v1\nkind: Config\n';

/** What gets past the configuration, to a kubeconfig that names no cluster. */
const GOOD: Required<Pick<Container, 'environment' | 'mounts'>> = {
  environment: { ENVIRONMENT: 'production', KUBECONFIG_DATA: btoa(KUBECONFIG) },
  mounts: { '/config/environment.yaml': ENVIRONMENT_FILE, '/config/dag.yaml': PLATFORM },
};

const withVariables = (environment: Readonly<Record<string, string>>): Container => ({
  ...GOOD,
  environment: { ...GOOD.environment, ...environment },
});
const withMounts = (mounts: Container['mounts']): Container => ({
  ...GOOD,
  mounts: { ...GOOD.mounts, ...mounts },
});
const without = (name: string): Container => {
  const { [name]: _, ...environment } = GOOD.environment;
  const { [name]: __, ...mounts } = GOOD.mounts;
  return { environment, mounts };
};

const REACHES_THE_CLUSTER = 'The kubeconfig has no current context.';

const HASH = `sha256:${'0'.repeat(64)}`;
const TEARDOWN = { PV_POLICY: 'retain', CONFIRMATION_TOKEN: `shop@${HASH}` };

/** Row of the table -> containers, and what each says first that is wrong. */
const CASES: Readonly<Record<string, readonly (readonly [Container, string])[]>> = {
  KUBECONFIG_DATA: [
    [GOOD, REACHES_THE_CLUSTER],
    [without('KUBECONFIG_DATA'), 'KUBECONFIG_DATA and KUBECONFIG_PATH are not set.'],
    [withVariables({ KUBECONFIG_DATA: KUBECONFIG }), 'KUBECONFIG_DATA is not base64.'],
    [withVariables({ KUBECONFIG_DATA: btoa('{{') }), 'The kubeconfig is empty or not YAML.'],
  ],
  KUBECONFIG_PATH: [
    [
      withVariables({ KUBECONFIG_DATA: '', KUBECONFIG_PATH: '/nowhere' }),
      "The kubeconfig cannot be used: ENOENT: no such file or directory, open '/nowhere'.",
    ],
    [
      withVariables({ KUBECONFIG_PATH: '/nowhere' }),
      'KUBECONFIG_DATA and KUBECONFIG_PATH are both set.',
    ],
  ],
  ENVIRONMENT: [
    [without('ENVIRONMENT'), 'ENVIRONMENT is not set.'],
    [withVariables({ ENVIRONMENT: '' }), 'ENVIRONMENT is not set.'],
    [withVariables({ ENVIRONMENT: 'prod' }), 'ENVIRONMENT is "prod".'],
    [
      withVariables({ ENVIRONMENT: 'staging' }),
      'ENVIRONMENT is "staging", but the environment file is for "production".',
    ],
  ],
  TARGET_SCOPE: [
    [withVariables({ TARGET_SCOPE: 'platform' }), REACHES_THE_CLUSTER],
    [withVariables({ TARGET_SCOPE: 'stack:web' }), REACHES_THE_CLUSTER],
    [withVariables({ TARGET_SCOPE: 'app:site' }), REACHES_THE_CLUSTER],
    [withVariables({ TARGET_SCOPE: 'stack:wbe' }), 'The platform has no "stack:wbe".'],
    [withVariables({ TARGET_SCOPE: 'The Web' }), 'TARGET_SCOPE is "The Web".'],
  ],
  DRY_RUN: [
    [withVariables({ DRY_RUN: 'true' }), REACHES_THE_CLUSTER],
    [withVariables({ DRY_RUN: 'yes' }), 'DRY_RUN is "yes".'],
  ],
  LOG_LEVEL: [[withVariables({ LOG_LEVEL: 'verbose' }), 'LOG_LEVEL is "verbose".']],
  LOG_FORMAT: [[withVariables({ LOG_FORMAT: 'xml' }), 'LOG_FORMAT is "xml".']],
  TRACE_ID: [[withVariables({ TRACE_ID: 'xyz' }), 'TRACE_ID is "xyz".']],
  SPAN_ID: [[withVariables({ SPAN_ID: 'xyz' }), 'SPAN_ID is "xyz".']],
  ARGOCD_TOKEN_FILE: [[withVariables({ ARGOCD_TOKEN_FILE: '/token' }), REACHES_THE_CLUSTER]],
  EXECUTOR_IMAGE: [
    [withVariables({ EXECUTOR_IMAGE: 'executor:1' }), REACHES_THE_CLUSTER],
    [withVariables({ EXECUTOR_IMAGE: 'no image' }), 'EXECUTOR_IMAGE is "no image".'],
  ],
  PV_POLICY: [
    [withVariables({ ...TEARDOWN, PV_POLICY: '' }), 'PV_POLICY is not set.'],
    [withVariables({ ...TEARDOWN, PV_POLICY: 'burn' }), 'PV_POLICY is "burn".'],
    [withVariables({ ...TEARDOWN, PV_POLICY: 'snapshot' }), REACHES_THE_CLUSTER],
  ],
  CONFIRMATION_TOKEN: [
    [withVariables({ PV_POLICY: 'retain' }), 'CONFIRMATION_TOKEN is not set.'],
    [withVariables({ PV_POLICY: 'retain', DRY_RUN: 'true' }), REACHES_THE_CLUSTER],
    [withVariables({ ...TEARDOWN, CONFIRMATION_TOKEN: 'yes' }), 'CONFIRMATION_TOKEN is "yes".'],
    [
      withVariables({ ...TEARDOWN, CONFIRMATION_TOKEN: `other@${HASH}` }),
      'The platform is called "shop", but "other" was confirmed.',
    ],
    [withVariables(TEARDOWN), REACHES_THE_CLUSTER],
  ],
  TRIGGER: [
    [withVariables({ TRIGGER: 'event:push' }), REACHES_THE_CLUSTER],
    [withVariables({ TRIGGER: 'event:{{x}}' }), 'TRIGGER is "event:{{x}}".'],
  ],
  METRICS_FILE: [[withVariables({ METRICS_FILE: '/m.prom' }), REACHES_THE_CLUSTER]],
  '/config/environment.yaml': [
    [without('/config/environment.yaml'), 'Cannot read the file: no such file.'],
    [
      withMounts({ '/config/environment.yaml': ENVIRONMENT_FILE.replace(/domain.*\n/, '') }),
      'The file needs the key "domain".',
    ],
  ],
  '/config/dag.yaml': [
    [without('/config/dag.yaml'), REACHES_THE_CLUSTER],
    [
      withMounts({ '/config/dag.yaml': PLATFORM.replace(/apiV.*\n/, '') }),
      'The file needs the key "apiVersion".',
    ],
  ],
  '/config/charts': [[withMounts({ '/config/charts': '' }), REACHES_THE_CLUSTER]],
  '/secrets/git-token': [[withMounts({ '/secrets/git-token': 'secret' }), REACHES_THE_CLUSTER]],
  '/secrets/argocd-token': [
    [withMounts({ '/secrets/argocd-token': 'secret' }), REACHES_THE_CLUSTER],
    [
      withVariables({ ARGOCD_AUTH_TOKEN: 'x' }),
      'ARGOCD_AUTH_TOKEN contains a credential in plain text.',
    ],
  ],
};

const rows = Object.entries(CASES).flatMap(([row, cases]) =>
  cases.map(([container, said], at) => [`${row} (${at + 1})`, container, said] as const),
);

test.each(rows)('%s', async (row, container, said) => {
  const action = /^(PV_|CONF)/.test(row) ? 'teardown' : 'deploy';
  const { status, report, log } = await execute([action], container);
  expect(report.failures[0]?.message).toBe(said);
  expect(report.failures).toHaveLength(1);
  expect(status).toBe(3);
  expect(report).toMatchObject({ exitStatus: 3, summary: { status: 'invalid' } });
  // No secret is told, neither in the log nor in the report.
  expect(JSON.stringify([report, log])).not.toContain(btoa(KUBECONFIG));
});

const documentedRows = (heading: string) => {
  const text = readFileSync('docs/executor.md', 'utf8');
  const section = text.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(([, row]) => row);
};

test('every row of both tables is tried, and no other', () => {
  const documented = [...documentedRows('Environment'), ...documentedRows('Mounts')];
  expect(documented.sort()).toEqual(Object.keys(CASES).sort());
});

test('everything that is wrong is told at once', async () => {
  const { report, log, status } = await execute(['deplyo'], {
    environment: {
      ...{ DRY_RUN: '1', LOG_LEVEL: 'loud', TARGET_SCOPE: '?', TRACE_ID: '0', SPAN_ID: '0' },
      ...{ ARGOCD_PASSWORD: 'x', KUBECONFIG_PATH: '/k', KUBECONFIG_DATA: '?' },
    },
    mounts: { '/config/dag.yaml': 'kind: Platform\n', '/config/environment.yaml': 'name: x\n' },
  });
  expect(status).toBe(3);
  const said = report.failures.map(({ message }) => message);
  for (const word of [
    ...['deplyo', 'DRY_RUN', 'LOG_LEVEL', 'TARGET_SCOPE', 'TRACE_ID', 'SPAN_ID'],
    ...['ARGOCD_PASSWORD', 'KUBECONFIG_PATH', 'ENVIRONMENT', '"apiVersion"', '"domain"'],
  ]) {
    expect(
      said.filter((message) => message.includes(word)),
      word,
    ).toHaveLength(1);
  }
  expect(log.filter(({ level }) => level === 'error')).toHaveLength(report.failures.length + 1);
  expect(report.recommendations).toContain('Did you mean "deploy"?');
});

test('in a pod no kubeconfig is needed', async () => {
  const { report } = await execute(['deploy'], {
    ...without('KUBECONFIG_DATA'),
    environment: { ENVIRONMENT: 'production', KUBERNETES_SERVICE_HOST: '10.0.0.1' },
  });
  expect(report.failures.map(({ type }) => type)).not.toContain('variable-invalid');
});

test('logs are JSON lines that carry the caller’s trace, or text', async () => {
  const ids = { TRACE_ID: 'a'.repeat(32), SPAN_ID: 'b'.repeat(16) };
  const json = await execute(['deploy'], withVariables(ids));
  expect(json.log[0]).toMatchObject({
    ...{ level: 'info', action: 'deploy', phase: 'orchestration', component: 'executor' },
    ...{ message: 'deploy of platform in production', traceId: ids.TRACE_ID, spanId: ids.SPAN_ID },
  });
  expect(json.log[0]?.timestamp).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  const text = await execute(['deploy'], withVariables({ LOG_FORMAT: 'text' }));
  expect(text.stderr).toMatch(
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ INFO \[deploy\/orchestration\/executor\] deploy of platform/,
  );
  expect(text.stderr).not.toContain('Id=');
  const traced = await execute(['deploy'], withVariables({ LOG_FORMAT: 'text', ...ids }));
  const lines = traced.stderr.trimEnd().split('\n');
  const end = ` traceId=${ids.TRACE_ID} spanId=${ids.SPAN_ID}`;
  expect([lines.length > 1, lines.filter((line) => !line.endsWith(end))]).toEqual([true, []]);
  const quiet = await execute(['deploy'], withVariables({ LOG_LEVEL: 'error' }));
  expect(new Set(quiet.log.map(({ level }) => level))).toEqual(new Set(['error']));
});

test('help and version; what is no action', async () => {
  expect(await execute(['--help'])).toMatchObject({ status: 0, stderr: '' });
  expect((await execute(['--help'])).stdout).toContain('KUBECONFIG_DATA');
  expect(await execute(['--version'])).toMatchObject({ status: 0, stdout: 'executor 0.1.0\n' });
  expect((await execute([], GOOD)).report.failures[0]?.message).toBe('The action is missing.');
  const wrong = await execute(['deploy', '--tiemout', '1h'], GOOD);
  expect([wrong.status, wrong.report.failures[0]?.type]).toEqual([3, 'usage-invalid']);
});

test('help names every variable, mount and exit status of the document', async () => {
  const { stdout } = await execute(['--help']);
  const all = ['Environment', 'Mounts', 'Exit statuses'].flatMap(documentedRows);
  expect(all.filter((row) => !stdout.includes(`  ${row} `))).toEqual([]);
});
