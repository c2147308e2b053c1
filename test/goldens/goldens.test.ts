// Every command as a user calls it: what it prints, to which stream, and its exit status. `npx vitest run -u` rewrites
// the expected files; the diff shows what changes for users.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { transcripts, VARIABLES } from './transcript.ts';

// A rehearsal takes a second or two, and more where other tests run beside it.
vi.setConfig({ testTimeout: 60_000 });

const FIXTURES = 'test/goldens/fixtures';
const EXPECTED = 'test/goldens/expected';
const scratch = mkdtempSync(join(tmpdir(), 'tiphys-goldens-'));
const transcript = transcripts(scratch);

afterAll(() => rmSync(scratch, { recursive: true }));

const file = (name: string) => ['-f', `${FIXTURES}/${name}.yaml`];

const TEAMS = ['-f', 'examples/teams/platform.yaml'];
const STAGING = ['-e', `${FIXTURES}/staging.yaml`];
const MANIFESTS = ['--manifests', `${FIXTURES}/manifests`];

const LINT = ['lint', '--manifests', `${FIXTURES}/lint`];
const LINT_GIT = [
  ...['lint', '--from', `${FIXTURES}/lint-git`, '-f', `${FIXTURES}/lint-graph.yaml`],
];
const IMPORT = ['import', '--manifests', `${FIXTURES}/import`, '--name', 'shop'];

const CASES: Readonly<Record<string, readonly string[]>> = {
  'no-command': [],
  help: ['--help'],
  'unknown-command': ['pln'],
  'help-unknown-command': ['help', 'pln'],
  'unknown-command-delete': ['delete'],
  'unknown-option': ['plan', '--scop', 'x'],
  'unknown-format': ['plan', '-o', 'xml'],
  'too-many-arguments': ['version', 'now'],
  'init-help': ['init', '--help'],
  'init-wrong-name': ['init', scratch, '--name', 'My Shop'],
  'init-wrong-repository': ['init', scratch, '--git-repository', 'my platform'],
  'init-password': ['init', scratch, '--git-repository', 'https://me:secret@git.example.com/x'],
  'init-from-unknown': ['init', scratch, '--from', 'refrence'],
  'init-from-with-name': ['init', scratch, '--from', 'reference', '--name', 'shop'],
  'lint-help': ['lint', '--help'],
  'lint-no-source': ['lint'],
  lint: LINT,
  'lint-json': [...LINT, '-o', 'json'],
  'lint-sarif': [...LINT, '-o', 'sarif'],
  'lint-patches': [...LINT, '-o', 'patches'],
  'lint-graph': [...LINT, '-f', `${FIXTURES}/shop.yaml`],
  'lint-git': LINT_GIT,
  'lint-git-sarif': [...LINT_GIT, '-o', 'sarif'],
  'lint-git-patches': [...LINT_GIT, '-o', 'patches'],
  'import-help': ['import', '--help'],
  'import-no-source': ['import'],
  'import-two-sources': ['import', '--from-cluster', '--from', '.'],
  'import-wrong-name': ['import', '--from', '.', '--name', 'My Shop'],
  'import-half-a-pair': [...IMPORT, '--accept', 'web-'],
  'import-existing': [...IMPORT, '-f', `${FIXTURES}/shop.yaml`],
  'import-nothing': ['import', '--manifests', EXPECTED, '-f', join(scratch, 'none.yaml')],
  'import-templates': [
    ...['import', '--from', `${FIXTURES}/import-templates`, '-f', join(scratch, 'none.yaml')],
  ],
  'import-no-kubeconfig': [
    ...['import', '--from-cluster', '--kubeconfig', 'nowhere', '-f', join(scratch, 'a.yaml')],
  ],
  import: [...IMPORT, '-f', join(scratch, 'b.yaml')],
  'import-json': [...IMPORT, '-f', join(scratch, 'c.yaml'), '-o', 'json'],
  'import-file': [...IMPORT, '-f', '-'],
  'import-waves': [...IMPORT, '-f', '-', '--order', 'waves', '--quiet'],
  'import-unknown-pair': [...IMPORT, '-f', join(scratch, 'd.yaml'), '--reject', 'web->dbb'],
  'import-decided': [
    ...[...IMPORT, '-f', join(scratch, 'decided', 'e.yaml')],
    ...['--accept', 'web->db', '--quiet'],
  ],
  'import-diff': [...IMPORT, '--diff', `${FIXTURES}/imported.yaml`],
  'import-diff-json': [...IMPORT, '--diff', `${FIXTURES}/imported.yaml`, '-o', 'json'],
  'import-diff-html': [...IMPORT, '--diff', `${FIXTURES}/imported.yaml`, '-o', 'html'],
  'bootstrap-help': ['bootstrap', '--help'],
  'bootstrap-unknown-role': ['bootstrap', '--only', 'argocdd'],
  'bootstrap-no-environment': ['bootstrap', ...file('shop')],
  'bootstrap-check-and-deploy': ['bootstrap', ...file('shop'), '--check', '--deploy'],
  'teardown-primitives-scope': [
    'teardown',
    '--primitives',
    '--scope',
    'stack:web',
    ...file('shop'),
  ],
  'teardown-primitives-unconfirmed': ['teardown', '--primitives', ...file('shop')],
  'plan-help': ['plan', '--help'],
  plan: ['plan', ...file('shop')],
  'plan-reference': ['plan', '-f', 'examples/reference/platform.yaml'],
  'plan-teams-staging': ['plan', ...TEAMS, '-e', 'examples/teams/staging.yaml'],
  'plan-teams-json': ['plan', ...TEAMS, '-e', 'examples/teams/production.yaml', '-o', 'json'],
  'plan-bare-names': ['plan', ...file('bare-names')],
  'plan-environment-as-platform': ['plan', '-f', `${FIXTURES}/staging.yaml`],
  'plan-two-documents': ['plan', ...file('two-documents')],
  'plan-scope-part': ['plan', ...file('shop'), '--scope', 'gress'],
  'plan-wide': ['plan', ...file('shop'), '-o', 'wide'],
  'plan-json': ['plan', ...file('shop'), '-o', 'json'],
  'plan-yaml': ['plan', ...file('shop'), '-o', 'yaml'],
  'plan-dot': ['plan', ...file('shop'), '-o', 'dot'],
  'plan-mermaid': ['plan', ...file('shop'), '-o', 'mermaid'],
  'plan-workflow': ['plan', ...file('shop'), '-o', 'workflow', '--image', 'executor:1'],
  'plan-workflow-teardown': ['plan', 'teardown', ...file('shop'), '-o', 'workflow'],
  'plan-workflow-pods': [
    ...['plan', ...file('shop'), '-o', 'workflow', '--image', 'executor:1', '--nodes', 'pods'],
  ],
  'plan-nodes-alone': ['plan', ...file('shop'), '--nodes', 'pods'],
  'plan-workflow-no-image': ['plan', ...file('one'), '-o', 'workflow'],
  'plan-workflow-image': ['plan', ...file('shop'), '-o', 'workflow', '--image', 'no image'],
  'plan-image-alone': ['plan', ...file('shop'), '--image', 'executor:1'],
  'plan-inventory-workflow': ['plan', 'teardown', ...file('shop'), '--inventory', '-o', 'workflow'],
  'plan-teardown': ['plan', 'teardown', ...file('shop')],
  'plan-scope': ['plan', ...file('shop'), '--scope', 'stack:web', '--scope', 'db'],
  'plan-scope-with-dependencies': ['plan', ...file('shop'), '--scope', 'db', '--with-dependencies'],
  'plan-scope-teardown': ['plan', 'teardown', ...file('shop'), '--scope', 'operator'],
  'plan-scope-unknown': ['plan', ...file('shop'), '--scope', 'stack:wbe', '--scope', 'D B'],
  'plan-wrong-direction': ['plan', ...file('shop'), '--with-dependents'],
  'plan-inventory-no-kubeconfig': [
    ...['plan', 'teardown', ...file('shop'), '--inventory', '--kubeconfig', 'nowhere'],
  ],
  'plan-inventory-deploy': ['plan', ...file('shop'), '--inventory'],
  'plan-inventory-picture': ['plan', 'teardown', ...file('shop'), '--inventory', '-o', 'dot'],
  'plan-volumes-alone': ['plan', 'teardown', ...file('shop'), '--volumes', 'delete'],
  'plan-crds-alone': ['plan', 'teardown', ...file('shop'), '--crds'],
  'plan-volumes-unknown': ['plan', 'teardown', ...file('shop'), '--volumes', 'burn'],
  'plan-no-file': ['plan', '-f', 'nowhere.yaml'],
  'plan-no-platform-file': ['plan', '-f', join(scratch, 'platform.yaml')],
  'plan-no-environment-file': ['plan', ...file('one'), '-e', 'nowhere.yaml'],
  'plan-folder-as-file': ['plan', '-f', FIXTURES],
  'plan-wrong': ['plan', ...file('wrong')],
  'plan-wrong-json': ['plan', ...file('wrong'), '-o', 'json'],
  'plan-unknown': ['plan', ...file('unknown')],
  'plan-cycle': ['plan', ...file('cycle')],
  'plan-nested': ['plan', ...file('nested')],
  'plan-nested-teardown': ['plan', 'teardown', ...file('nested')],
  'plan-nested-wrong': ['plan', ...file('nested-wrong')],
  'rehearse-nested': ['rehearse', ...file('nested'), '--quiet'],
  'plan-environment': ['plan', ...file('environments'), ...STAGING],
  'plan-environment-unknown': ['plan', ...file('environments')],
  'plan-absent': ['plan', ...file('absent'), ...STAGING],
  'plan-scope-absent': ['plan', ...file('environments'), ...STAGING, '--scope', 'backup'],
  'plan-too-long': ['plan', ...file('too-long')],
  'rehearse-too-long': ['rehearse', ...file('too-long'), '--quiet', '--timeout', '50m'],
  'rehearse-help': ['rehearse', '--help'],
  'rehearse-no-profile': ['rehearse', ...file('one'), '--profile', 'nowhere.yaml'],
  'rehearse-wrong-action': ['rehearse', 'undeploy', ...file('shop')],
  'rehearse-wrong-speed': ['rehearse', ...file('shop'), '--speed', 'fast'],
  'rehearse-wrong-fault': ['rehearse', ...file('shop'), '--fault', 'app:db degradd after 2m'],
  'rehearse-serve-scope': ['rehearse', 'serve', ...file('shop'), '--scope', 'app:db'],
  'rehearse-serve-gated': ['rehearse', 'serve', ...file('shop'), '--mode', 'gated'],
  'rehearse-serve-killed': ['rehearse', 'serve', ...file('shop'), '--fault', 'tiphys killed at 5m'],
  'rehearse-serve-denied': ['rehearse', 'serve', ...file('shop'), '--fault', 'app:db denied'],
  'rehearse-deploy': ['rehearse', 'deploy', ...file('shop'), '--quiet'],
  'rehearse-scope': ['rehearse', ...file('shop'), '--scope', 'db', '--quiet'],
  'rehearse-failure': [
    ...['rehearse', 'deploy', ...file('shop'), '--quiet'],
    ...['--fault', 'app:operator degraded after 1m', '--fault', 'tiphys killed at 3m'],
  ],
  'rehearse-token': [
    ...['rehearse', 'deploy', ...file('shop'), '--quiet', '--fault', 'token expires at 5m'],
  ],
  'rehearse-bypass': [
    ...['rehearse', 'deploy', ...file('shop'), '--quiet', '--strict'],
    ...['--fault', 'app:ingress synced-by-others at 30s'],
  ],
  'rehearse-bypass-validate': [
    ...['rehearse', 'validate', ...file('shop'), '--quiet', '--strict'],
    ...['--fault', 'app:api synced-by-others at 30s'],
  ],
  'rehearse-teardown-progress': ['rehearse', 'teardown', ...file('one')],
  'rehearse-teardown': ['rehearse', 'teardown', ...file('shop'), '--quiet'],
  'preflight-help': ['preflight', '--help'],
  'preflight-no-file': ['preflight', '-f', 'nowhere.yaml'],
  'preflight-no-image': ['preflight', ...file('shop'), '--from-cluster'],
  'preflight-image-alone': ['preflight', ...file('shop'), '--image', 'executor:1'],
  'preflight-no-snapshot': ['preflight', ...file('shop'), '--compare', `${FIXTURES}/shop.yaml`],
  'diff-help': ['diff', '--help'],
  'diff-scope-unknown': ['diff', 'sitee', ...file('shop')],
  'diff-wrong-selector': ['diff', ...file('shop'), '-l', 'team in shop'],
  'status-watch-selector': ['status', ...file('shop'), '-w', '-l', 'team=shop'],
  'diff-no-kubeconfig': ['diff', ...file('shop'), '--kubeconfig', 'nowhere'],
  'deploy-help': ['deploy', '--help'],
  'deploy-no-kubeconfig': ['deploy', ...file('shop'), '--kubeconfig', 'nowhere'],
  'deploy-wrong-concurrency': ['deploy', ...file('shop'), '--concurrency', '0'],
  'deploy-wrong-timeout': ['deploy', ...file('shop'), '--timeout', '5 minutes'],
  'deploy-detach-embedded': ['deploy', ...file('shop'), '--detach'],
  'deploy-wrong-engine': ['deploy', ...file('shop'), '--engine', 'argo'],
  'stop-help': ['stop', '--help'],
  'validate-help': ['validate', '--help'],
  'teardown-help': ['teardown', '--help'],
  'teardown-no-kubeconfig': ['teardown', ...file('shop'), '--kubeconfig', 'nowhere'],
  'teardown-other-name': ['teardown', ...file('shop'), '--confirm', 'big'],
  'teardown-half-a-hash': ['teardown', ...file('shop'), '--expect', 'sha256:12'],
  'teardown-no-inventory': ['teardown', ...file('shop'), '--expect', `${FIXTURES}/shop.yaml`],
  'teardown-unsafe-unknown': ['teardown', ...file('shop'), '--unsafe-remove-finalizers', 'dbb'],
  'teardown-dependents-alone': ['teardown', ...file('shop'), '--with-dependents'],
  'status-help': ['status', '--help'],
  'explain-help': ['explain', '--help'],
  'approve-help': ['approve', '--help'],
  'approve-reason-alone': ['approve', 'vault', '--reason', 'x', ...file('shop')],
  'plan-approvals': ['plan', ...file('approvals')],
  'explain-unknown': ['explain', 'sitee', ...file('shop')],
  'runs-help': ['runs', '--help'],
  'release-help': ['release', '--help'],
  health: ['health'],
  'health-help': ['health', '--help'],
  'health-unknown': ['health', 'tset'],
  'health-test-help': ['health', 'test', '--help'],
  'health-test': ['health', 'test', `${FIXTURES}/health`],
  'health-test-json': ['health', 'test', `${FIXTURES}/health/example.org/Good`, '-o', 'json'],
  'health-test-none': ['health', 'test', EXPECTED],
  'health-test-wrong': ['health', 'test', `${FIXTURES}/health-wrong`],
  'health-render-help': ['health', 'render', '--help'],
  'health-render': ['health', 'render', `${FIXTURES}/health/example.org`],
  'health-render-wrong': ['health', 'render', `${FIXTURES}/health-wrong`],
  'health-coverage-help': ['health', 'coverage', '--help'],
  'health-coverage': ['health', 'coverage', ...file('accepted'), ...MANIFESTS],
  'health-coverage-strict': ['health', 'coverage', ...file('shop'), ...MANIFESTS, '--strict'],
  'health-coverage-json': ['health', 'coverage', ...file('accepted'), ...MANIFESTS, '-o', 'json'],
  'health-coverage-draft': [
    'health',
    'coverage',
    ...file('accepted'),
    ...MANIFESTS,
    '--draft',
    'example.org/Thing',
  ],
  'health-coverage-no-draft': [
    'health',
    'coverage',
    ...file('accepted'),
    ...MANIFESTS,
    '--draft',
    'v1/Pod',
  ],
  'schema-help': ['schema', '--help'],
  'schema-platform': ['schema'],
  'schema-environment': ['schema', 'environment'],
  'config-help': ['config', '--help'],
  'config-view-help': ['config', 'view', '--help'],
  'config-view': ['config', 'view'],
  'config-view-set': ['config', 'view', '--config', `${FIXTURES}/config.yaml`],
  'config-view-json': ['config', 'view', '--config', `${FIXTURES}/config.yaml`, '-o', 'json'],
  'config-view-yaml': ['config', 'view', '-o', 'yaml'],
  'config-view-wrong': ['config', 'view', '--config', `${FIXTURES}/config-wrong.yaml`],
  'config-view-no-file': ['config', 'view', '--config', 'nowhere.yaml'],
  'config-view-wrong-variables': ['config', 'view'],
  'plan-file-of-a-variable': ['plan'],
  'completion-help': ['completion', '--help'],
  'completion-bash': ['completion', 'bash'],
  'completion-zsh': ['completion', 'zsh'],
  'completion-fish': ['completion', 'fish'],
  'completion-unknown': ['completion', 'tcsh'],
  'version-help': ['version', '--help'],
  version: ['version'],
  'version-json': ['version', '-o', 'json'],
};

test.each(Object.entries(CASES))('%s', async (name, args) => {
  await expect(transcript(args, { variables: VARIABLES[name] })).toMatchFileSnapshot(
    resolve(EXPECTED, `${name}.txt`),
  );
});

test('standard input', async () => {
  const shown = transcript(['plan', '-f', '-'], { input: 'apiVersion: tiphys.dev/v1alpha1\n' });
  await expect(shown).toMatchFileSnapshot(resolve(EXPECTED, 'plan-stdin.txt'));
});

test('init writes files that can be planned, and overwrites nothing', async () => {
  const shown = [
    transcript(['init', scratch, '--name', 'shop']),
    transcript(['plan', '-f', join(scratch, 'platform.yaml')]),
    transcript(['init', scratch]),
    transcript(['init', scratch, '--force']),
  ];
  await expect(shown.join('\n')).toMatchFileSnapshot(resolve(EXPECTED, 'init.txt'));
});

test('init copies an example, in either form', async () => {
  const [real, standIns] = [join(scratch, 'real'), join(scratch, 'stand-ins')];
  const shown = [
    transcript(['init', real, '--from', 'reference']),
    transcript(['init', standIns, '--stand-ins', '--git-repository', 'file:///srv/platform']),
    transcript(['plan', '-f', join(standIns, 'platform.yaml')]),
  ];
  await expect(shown.join('\n')).toMatchFileSnapshot(resolve(EXPECTED, 'init-from.txt'));
});

test('no expected file is left over', () => {
  const known = new Set(
    [...Object.keys(CASES), 'plan-stdin', 'init', 'init-from'].map((name) => `${name}.txt`),
  );
  expect(readdirSync(EXPECTED).filter((name) => !known.has(name))).toEqual([]);
});
