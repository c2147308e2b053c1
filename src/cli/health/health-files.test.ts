// Files of checks as Go's parser reads them; one that cannot be read fails alone.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testChecks } from '../../health/test-checks.ts';
import { processIo } from '../../process.ts';
import { readTests } from './health-files.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tiphys-health-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const SCRIPT = 'return { status = "Healthy", message = obj.status.phase }';
const READY = 'status: {phase: Ready}\n';

function write(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** A check whose cases all expect the same. */
function writeCheck(name: string, inputs: Record<string, string>): void {
  const cases = Object.keys(inputs).map(
    (input) => `- {inputPath: ${input}, healthStatus: {status: Healthy, message: Ready}}\n`,
  );
  write({
    [`checks/${name}/health.lua`]: SCRIPT,
    [`checks/${name}/health_test.yaml`]: `tests:\n${cases.join('')}`,
  });
  for (const [input, text] of Object.entries(inputs)) {
    if (text !== '') write({ [`checks/${name}/${input}`]: text });
  }
}

/** Case -> `passed`, or why not. */
async function results(): Promise<Record<string, string>> {
  const tests = await readTests(processIo, join(folder, 'checks'));
  const { checks } = await testChecks(tests, { lua: processIo.lua, openLibs: false });
  const cases = checks.flatMap(({ check, cases }) =>
    cases.map(({ input, passed, error }) => [`${check} ${input}`, passed ? 'passed' : `${error}`]),
  );
  return Object.fromEntries(cases);
}

test('keys in any case, odd indentation, a second document', async () => {
  const cases =
    'TESTS:\n- inputpath: a.yaml\n  HealthStatus:\n          Status: Healthy\n          MESSAGE: Ready\n---\nother: 1\n';
  write({
    'checks/a.org/A/health.lua': SCRIPT,
    'checks/a.org/A/health_test.yaml': cases,
    'checks/a.org/A/a.yaml': `${READY}---\nstatus: {phase: Other}\n`,
  });
  expect(await results()).toEqual({ 'a.org/A a.yaml': 'passed' });
});

test('a case that cannot be read fails alone', async () => {
  writeCheck('a.org/A', { 'broken.yaml': '{', 'good.yaml': READY, 'missing.yaml': '' });
  writeCheck('b.org/B', { 'good.yaml': READY });
  expect(await results()).toEqual({
    'a.org/A broken.yaml': expect.stringMatching(/^The object cannot be read: yaml: line 1: /),
    'a.org/A good.yaml': 'passed',
    'a.org/A missing.yaml': expect.stringContaining('no such file'),
    'b.org/B good.yaml': 'passed',
  });
});

test('cases that cannot be read fail alone', async () => {
  writeCheck('b.org/B', { 'good.yaml': READY });
  write({
    'checks/a.org/Broken/health.lua': SCRIPT,
    'checks/a.org/Broken/health_test.yaml': 'tests: [',
    'checks/a.org/Misspelt/health.lua': SCRIPT,
    'checks/a.org/Misspelt/health_test.yaml': 'tests: [{inputPath: x, healthStatus: {state: x}}]',
    'checks/a.org/None/health.lua': SCRIPT,
    'checks/a.org/None/health_test.yaml': 'tests: []',
    'checks/a.org/Without/health.lua': SCRIPT,
  });
  expect(await results()).toEqual({
    'a.org/Broken health_test.yaml': expect.stringMatching(/^It cannot be read: yaml: line 1: /),
    'a.org/Misspelt health_test.yaml':
      'It cannot be read: json: unknown field "state". List inputPath and healthStatus under tests.',
    'a.org/None health_test.yaml': 'It has no cases. List inputPath and healthStatus under tests.',
    'a.org/Without health_test.yaml': expect.stringContaining('no such file'),
    'b.org/B good.yaml': 'passed',
  });
});

const OUTSIDE =
  /is outside the folder of its check\. Copy the file into the testdata folder of the check\.$/;

test.each([
  ['a path', '../../../kubeconfig', () => {}],
  ['a path into another check', '../B/good.yaml', () => {}],
  [
    'a link',
    'testdata/link.yaml',
    () => {
      mkdirSync(join(folder, 'checks/a.org/A/testdata'));
      symlinkSync(join(folder, 'kubeconfig'), join(folder, 'checks/a.org/A/testdata/link.yaml'));
    },
  ],
  [
    'a linked folder',
    'testdata/kubeconfig',
    () => symlinkSync(folder, join(folder, 'checks/a.org/A/testdata')),
  ],
])('%s that leads out of the folder of the check is refused', async (_, input, prepare) => {
  write({ kubeconfig: 'status: {phase: secret-token}\n' });
  writeCheck('a.org/A', { 'good.yaml': READY, [input]: '' });
  writeCheck('a.org/B', { 'good.yaml': READY });
  prepare();
  const all = await results();
  expect(all[`a.org/A ${input}`]).toMatch(OUTSIDE);
  expect(JSON.stringify(all)).not.toContain('secret-token');
  expect([all['a.org/A good.yaml'], all['a.org/B good.yaml']]).toEqual(['passed', 'passed']);
});

test('a folder of checks that is itself a link is read', async () => {
  write({
    'real/a.org/A/health.lua': SCRIPT,
    'real/a.org/A/good.yaml': READY,
    'real/a.org/A/health_test.yaml':
      'tests: [{inputPath: ./good.yaml, healthStatus: {status: Healthy, message: Ready}}]',
  });
  symlinkSync(join(folder, 'real'), join(folder, 'checks'));
  expect(await results()).toEqual({ 'a.org/A ./good.yaml': 'passed' });
});
