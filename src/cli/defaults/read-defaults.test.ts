// Which default a command gets, and what is refused. In this process, with files and variables of the test.
import { expect, test } from 'vitest';
import { configFile } from '../../model/config-file.ts';
import type { Defaults } from '../../report/defaults.ts';
import { SETTABLE } from '../commands/config.ts';
import type { Io } from '../io.ts';
import { runCli } from '../run-cli.ts';

interface World {
  readonly files?: Readonly<Record<string, string>>;
  readonly variables?: Readonly<Record<string, string>>;
}

async function run(args: readonly string[], { files = {}, variables = {} }: World) {
  const said = { stdout: '', stderr: '' };
  const io = {
    stdout: (text: string) => (said.stdout += text),
    stderr: (text: string) => (said.stderr += text),
    terminal: () => undefined,
    environment: (name: string) => variables[name],
    exists: (path: string) => path in files,
    readFile: (path: string) => {
      if (files[path] === undefined) throw Object.assign(new Error('none'), { code: 'ENOENT' });
      return new TextEncoder().encode(files[path]);
    },
    version: () => '1.0.0',
  } as unknown as Io;
  return { status: await runCli(args, io), ...said };
}

async function view(world: World, ...more: string[]) {
  const { stdout, stderr } = await run(['config', 'view', '-o', 'json', ...more], world);
  expect(stderr).toBe('');
  const { options } = JSON.parse(stdout) as Defaults;
  return (name: string) => {
    const found = options.find(({ option }) => option === name);
    return found && [found.value, found.source];
  };
}

test('the config file has a key for each option that can be set, and no other', () => {
  expect(Object.keys(configFile.shape)).toEqual(SETTABLE.map((one) => one.attributeName()));
});

test('what weakens a safeguard, or decides what a run does, cannot be set', () => {
  const names = SETTABLE.map(({ long }) => long);
  for (const safe of ['--yes', '--confirm', '--expect', '--argocd-insecure', '--mode', '--scope'])
    expect(names).not.toContain(safe);
});

test('without anything set, each default is that of the program', async () => {
  const found = await view({ variables: { TIPHYS_CONTEXT: '' } });
  expect(found('--file')).toEqual(['platform.yaml', null]);
  expect(found('--context')).toEqual([null, null]);
  expect(found('--engine')).toEqual(['embedded', null]);
});

test('a variable wins over the config file, and the option --config over its variable', async () => {
  const world = {
    files: { 'ci.yaml': 'context: blue\nengine: auto\n', 'other.yaml': 'context: red\n' },
    variables: { TIPHYS_CONFIG: 'ci.yaml', TIPHYS_ENGINE: 'argo-workflows' },
  };
  const found = await view(world);
  expect(found('--context')).toEqual(['blue', { file: 'ci.yaml' }]);
  expect(found('--engine')).toEqual(['argo-workflows', { variable: 'TIPHYS_ENGINE' }]);
  expect((await view(world, '--config', 'other.yaml'))('--context')?.[0]).toBe('red');
});

test('no config file is read that was not named', async () => {
  const files = Object.fromEntries(
    ['config.yaml', 'tiphys.yaml', '.tiphys.yaml', '../tiphys.yaml'].map((path) => [path, 'x: 1']),
  );
  expect((await view({ files }))('--context')).toEqual([null, null]);
});

test('a path in the config file starts from its folder, one in a variable does not', async () => {
  const files = { 'ci/config.yaml': 'file: shop.yaml\nkubeconfig: /etc/kube\n' };
  const variables = { TIPHYS_CONFIG: 'ci/config.yaml', TIPHYS_ENVIRONMENT: 'staging.yaml' };
  const found = await view({ files, variables });
  expect(found('--file')?.[0]).toBe('ci/shop.yaml');
  expect(found('--kubeconfig')?.[0]).toBe('/etc/kube');
  expect(found('--environment')?.[0]).toBe('staging.yaml');
});

test('everything wrong in the config file is told, with its place', async () => {
  const text = 'contxt: blue\nyes: true\nargocdInsecure: true\nengine: fast\n';
  const { status, stderr } = await run(['plan', '--config', 'c.yaml'], {
    files: { 'c.yaml': text },
  });
  expect(status).toBe(3);
  expect(stderr.match(/^c\.yaml:\d:\d+: error\[[a-z-]+\]/gm)).toHaveLength(4);
  expect(stderr).toContain('Did you mean "context"?');
  // What two errors share is printed once, after the last of them.
  expect(stderr).toMatch(/"yes"\.\n.*"argocdInsecure"\.\n {2}hint: It weakens a safeguard: /);
  expect(stderr.match(/weakens a safeguard/g)).toHaveLength(1);
});

test('all variables that are wrong are told at once, by name', async () => {
  const variables = { TIPHYS_ENGINE: 'fast', TIPHYS_QUIET: '1' };
  const { status, stderr } = await run(['deploy'], { variables });
  expect(status).toBe(3);
  expect(stderr.match(/error\[variable-invalid\]: TIPHYS_(?:ENGINE|QUIET) is/g)).toHaveLength(2);
});

const SHOP = `apiVersion: tiphys.dev/v1alpha1
kind: Platform
metadata: {name: shop}
spec: {stacks: [{name: web, applications: [{name: ui}]}]}
`;

test('a command uses what is set, unless its line says something else', async () => {
  const world = { files: { 'shop.yaml': SHOP }, variables: { TIPHYS_FILE: 'shop.yaml' } };
  expect((await run(['plan'], world)).stdout).toContain('"shop"');
  const other = await run(['plan', '-f', 'platform.yaml'], world);
  expect(other.stderr).toContain('platform.yaml: error[file-unreadable]');
});

test('a default that has no meaning for a command does not make it fail', async () => {
  const variables = { TIPHYS_FILE: 'shop.yaml', TIPHYS_IMAGE: 'executor:1' };
  const world = { files: { 'shop.yaml': SHOP }, variables };
  expect(await run(['plan'], world)).toMatchObject({ status: 0 });
  const workflow = await run(['plan', '-o', 'workflow'], world);
  expect(workflow.stdout).toContain('image: executor:1');
  const refused = await run(['plan', '--image', 'executor:2'], world);
  expect(refused.stderr).toContain('requires -o workflow');
});

test('import writes where its line says, not to the platform file of a variable', async () => {
  const { stdout } = await run(['import', '--help'], {});
  expect(stdout).not.toContain('TIPHYS_FILE');
});
