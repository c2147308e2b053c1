// The package as it would be published: packed, unpacked elsewhere, with its runtime dependencies and nothing else.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const scratch = mkdtempSync(join(tmpdir(), 'tiphys-package-'));
const installed = join(scratch, 'node_modules', 'tiphys');

/** Not for development only: what `npm install` of the package brings along. */
function runtimePackages(): string[] {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  return Object.entries<{ dev?: boolean }>(packages)
    .filter(([path, { dev }]) => path !== '' && !dev)
    .map(([path]) => path);
}

beforeAll(() => {
  // Scripts are off: `prepare` would build into the dist folder that other tests are reading.
  const args = ['pack', '--ignore-scripts', '--pack-destination', scratch, '--silent'];
  const tarball = execFileSync('npm', args, { encoding: 'utf8' }).trim();
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['xzf', join(scratch, tarball), '-C', installed, '--strip-components=1']);
  for (const path of runtimePackages()) cpSync(path, join(scratch, path), { recursive: true });
});

afterAll(() => rmSync(scratch, { recursive: true }));

function tiphys(...args: string[]) {
  const main = join(installed, 'dist', 'main.js');
  return spawnSync(process.execPath, [main, ...args], { cwd: scratch, encoding: 'utf8' });
}

test('plans the example that it ships', () => {
  const { stdout, status } = tiphys(
    'plan',
    '-f',
    join(installed, 'examples/reference/platform.yaml'),
  );
  expect(stdout).toContain('43 applications, 12 parents, 11 stacks, 7 layers');
  expect(status).toBe(0);
});

test('rehearses the example that it ships', () => {
  const example = join(installed, 'examples/reference/platform.yaml');
  const { stdout, stderr, status } = tiphys('rehearse', '-f', example, '--quiet');
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain('deploy of "reference": 43 healthy');
});

test('its command is there for the shell', () => {
  const { bin } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  expect(readFileSync(join(installed, bin.tiphys), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
});

test('every command can be loaded', () => {
  const commands = [...tiphys('--help').stdout.matchAll(/^ {2}([a-z]+) /gm)].map(
    ([, name = '']) => name,
  );
  expect(commands.length).toBeGreaterThan(10);
  for (const name of commands) expect(tiphys(name, '--help').status, name).toBe(0);
  // Past the help: what a command loads when it runs is there too.
  expect(
    tiphys('deploy', '-f', join(installed, 'examples/reference/platform.yaml'), '--kubeconfig', 'x')
      .stderr,
  ).toContain('kubeconfig-invalid');
});

test('the commands without a cluster work', () => {
  expect(tiphys('init', 'new').status).toBe(0);
  expect(tiphys('init', 'copy', '--from', 'reference').status).toBe(0);
  expect(tiphys('plan', '-f', 'copy/platform.yaml').status).toBe(0);
  expect(tiphys('schema').status).toBe(0);
  expect(tiphys('health', 'test').stdout).toMatch(/\d+ cases: all passed\n$/);
  expect(tiphys('completion', 'bash').status).toBe(0);
  expect(tiphys('version').stdout).toMatch(/^tiphys \d+\.\d+\.\d+\n$/);
});

test('ships what is needed and no more', () => {
  expect(readdirSync(installed).sort()).toEqual(
    [
      'LICENSE',
      'README.md',
      'bootstrap',
      'dist',
      'docs',
      'examples',
      'health',
      'lua',
      'man',
      'package.json',
      'schemas',
      'workflows',
    ].sort(),
  );
  expect(existsSync(join(installed, 'bootstrap/roles/six_phases/tasks/main.yml'))).toBe(true);
  const compiled = readdirSync(join(installed, 'dist'), { recursive: true }) as string[];
  expect(compiled.filter((path) => path.includes('.test.'))).toEqual([]);
});
