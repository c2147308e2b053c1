// The Lua of `health test` against Argo CD: all checks that it bundles, and its own program for our checks and for every
// corner of the language. None of this needs a cluster.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { load } from 'js-yaml';
import { beforeAll, describe, expect, test } from 'vitest';
import { readTests } from '../../../src/cli/health/health-files.ts';
import { BUNDLED_KINDS } from '../../../src/health/bundled.ts';
import { kindName } from '../../../src/health/health-check.ts';
import { entriesOf } from '../../../src/health/render.ts';
import { testChecks } from '../../../src/health/test-checks.ts';
import { processIo } from '../../../src/process.ts';
import { argocdSource, askArgocd } from '../kit/argocd-module.ts';

describe('the checks that Argo CD bundles', () => {
  let root = '';
  let folders: string[] = [];
  beforeAll(async () => {
    root = join(await argocdSource(), 'resource_customizations');
    const all = readdirSync(root, { recursive: true, withFileTypes: true });
    const scripts = all.filter(({ name }) => name === 'health.lua');
    folders = scripts.map(({ parentPath }) => relative(root, parentPath)).sort();
  });

  test('are those that coverage knows', () => {
    expect(folders).toEqual([...BUNDLED_KINDS].sort());
  });

  test('say the same here, in every case', async () => {
    const tests = await readTests(processIo, root);
    const { checks, passed } = await testChecks(tests, { lua: processIo.lua, openLibs: true });
    const failed = checks.flatMap(({ cases }) => cases.filter((one) => !one.passed));
    expect(failed).toEqual([]);
    expect(passed).toBeGreaterThan(1000);
  });
});

describe("Argo CD's own program says the same", async () => {
  const folder = join(import.meta.dirname, '../../recordings/lua');
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.lua'));
  const key = 'example.org_Thing';
  const thing = { apiVersion: 'example.org/v1', kind: 'Thing', metadata: { name: 'a' } };

  test.each(scripts)(
    'of the language: %s',
    async (name) => {
      const recorded = readFileSync(join(folder, name.replace('.lua', '.txt')), 'utf8').slice(
        0,
        -1,
      );
      const asked = await askArgocd(thing, {
        [`resource.customizations.health.${key}`]: readFileSync(join(folder, name), 'utf8'),
        [`resource.customizations.useOpenLibs.${key}`]: 'true',
      });
      expect(asked).toEqual({ status: 'Healthy', message: recorded });
    },
    60_000,
  );

  const ours = await readTests(processIo, 'health');
  test.each(ours.map(({ check, cases }) => [kindName(check), check, cases] as const))(
    'of our check for %s',
    async (_, check, cases) => {
      const entries = Object.fromEntries(await entriesOf([check], processIo.lua));
      const answers = [];
      for (const { object } of cases) {
        if ('problem' in object) throw new Error(object.problem);
        answers.push(await askArgocd(load(object.text), entries));
      }
      expect(answers).toEqual(cases.map(({ expected }) => expected));
    },
    120_000,
  );
});
