// Our Lua against Argo CD's: all checks that it bundles, and its own program for our checks and for every corner of the
// language. None of this needs a cluster.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { load } from 'js-yaml';
import { beforeAll, describe, expect, test } from 'vitest';
import { readTests } from '../../../src/cli/health/health-files.ts';
import { BUNDLED_KINDS } from '../../../src/health/bundled.ts';
import { kindName } from '../../../src/health/check.ts';
import { evaluate } from '../../../src/health/evaluate.ts';
import { entriesOf } from '../../../src/health/render.ts';
import { processIo } from '../../../src/process.ts';
import { argocdSource, askArgocd } from '../kit/argocd-module.ts';

interface BundledCase {
  readonly inputPath?: string;
  /** Two files write it so, and Go does not mind. */
  readonly inputpath?: string;
  readonly healthStatus: { readonly status?: string; readonly message?: string };
}

/** Two broken texts, a second document, a key that is there twice: Go's parser lets them pass, no other should. */
const INVALID = [
  'db.atlasgo.io/AtlasSchema/testdata/healthy.yaml',
  'openfaas.com/Function/testdata/progressing.yaml',
  'rabbitmq.com/User/testdata/unknown.yaml',
  'work.karmada.io/ClusterResourceBinding/testdata/progressing.yaml',
  'work.karmada.io/ResourceBinding/testdata/progressing.yaml',
];

const { clock } = processIo;

describe('the checks that Argo CD bundles', () => {
  let root = '';
  let folders: string[] = [];
  beforeAll(async () => {
    root = join(await argocdSource(), 'resource_customizations');
    const all = readdirSync(root, { recursive: true, withFileTypes: true });
    const scripts = all.filter(({ name }) => name === 'health.lua');
    folders = scripts.map(({ parentPath }) => relative(root, parentPath)).sort();
  }, 120_000);

  test('are those that coverage knows', () => {
    expect(folders).toEqual([...BUNDLED_KINDS].sort());
  });

  test('say the same here, in every case whose files are valid', () => {
    const invalid: string[] = [];
    const different: unknown[] = [];
    let agreed = 0;
    for (const folder of folders) {
      const cases = load(readFileSync(join(root, folder, 'health_test.yaml'), 'utf8'));
      for (const one of (cases as { tests: BundledCase[] }).tests) {
        const input = join(folder, one.inputPath ?? one.inputpath ?? '');
        const object = parsed(join(root, input));
        if (object === undefined) {
          invalid.push(input);
          continue;
        }
        const { status = '', message = '' } = one.healthStatus;
        const result = evaluate(scriptFor(object), object, { openLibs: true, clock });
        const same =
          'health' in result &&
          result.health.status === status &&
          result.health.message === message;
        if (same) agreed++;
        else different.push([input, result, one.healthStatus]);
      }
    }
    expect(different).toEqual([]);
    expect(invalid.sort()).toEqual(INVALID);
    expect(agreed).toBeGreaterThan(1000);
  }, 60_000);

  function parsed(file: string): Record<string, unknown> | undefined {
    try {
      return load(readFileSync(file, 'utf8')) as Record<string, unknown>;
    } catch {
      return undefined;
    }
  }

  /** By the kind of the object, not by the folder: exact, else the first wildcard. */
  function scriptFor({ apiVersion, kind }: Record<string, unknown>): string {
    const key = `${String(apiVersion).split('/')[0]}/${kind}`;
    const wildcard = folders.find((folder) => {
      const [group = '', name = ''] = folder.split('/');
      return name === '_' && key.split('/')[0]?.endsWith(group.replace('_', ''));
    });
    const folder = existsSync(join(root, key, 'health.lua')) ? key : wildcard;
    return readFileSync(join(root, folder ?? key, 'health.lua'), 'utf8');
  }
});

describe("Argo CD's own program says the same", () => {
  const folder = join(import.meta.dirname, '../../health/agreement');
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

  const ours = readTests(processIo, 'health');
  test.each(ours.map(({ check, cases }) => [kindName(check), check, cases] as const))(
    'of our check for %s',
    async (_, check, cases) => {
      const entries = Object.fromEntries(entriesOf([check]));
      const answers = [];
      for (const { object } of cases) answers.push(await askArgocd(object, entries));
      expect(answers).toEqual(cases.map(({ expected }) => expected));
    },
    120_000,
  );
});
