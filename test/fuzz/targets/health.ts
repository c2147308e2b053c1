// Health checks, their cases, manifests, and the settings of argocd-cm.
import fc from 'fast-check';
import { coverageOf } from '../../../src/health/coverage.ts';
import { createCheck } from '../../../src/health/health-check.ts';
import { kindsOfManifests } from '../../../src/health/manifests.ts';
import { readCases, testChecks } from '../../../src/health/test-checks.ts';
import { renderCoverage, renderHealthTest } from '../../../src/view/health-text.ts';
import { renderJson } from '../../../src/view/lines.ts';
import { lua } from '../../fakes/lua.ts';
import { type FuzzTarget, fuzzTarget } from '../fuzz.ts';
import { changedJson, changedText } from '../hostile.ts';
import type { Told } from '../properties.ts';

const SCRIPT = `local hs = {}
if obj.status ~= nil and obj.status.phase == "Ready" then
  hs.status = "Healthy"
  hs.message = obj.status.message
  return hs
end
return { status = "Progressing", message = "waits" }
`;
const CASES = `tests:
- healthStatus: {status: Healthy, message: good}
  inputPath: testdata/a.yaml
`;
const OBJECT = { apiVersion: 'a/v1', kind: 'A', status: { phase: 'Ready', message: 'good' } };
const DEFINITION = {
  ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
  spec: {
    ...{ group: 'a', names: { kind: 'A' } },
    versions: [
      {
        ...{ name: 'v1', served: true, storage: true, subresources: { status: {} } },
        schema: { openAPIV3Schema: { properties: { status: { properties: { phase: {} } } } } },
      },
    ],
  },
};
const SETTINGS = 'a/*:\n  health.lua: |\n    return {}\n';

async function tested([script, cases, object]: [string, string, string]): Promise<Told> {
  const check = createCheck({ group: 'a', kind: 'A' }, 'a/A/health.lua', script);
  const read = (path: string) => (path === 'health_test.yaml' ? cases : object);
  const tests = [{ check, cases: await readCases(read, lua) }];
  const result = await testChecks(tests, { lua, openLibs: false });
  return { text: [renderHealthTest(result)], json: [renderJson(result)], values: [result] };
}

function covered([manifest, settings]: [string, string]): Told {
  const manifests = [{ application: 'api', file: 'a.yaml', text: manifest }];
  const { uses, custom } = kindsOfManifests(manifests);
  const coverage = coverageOf({
    ...{ platform: 'shop', uses, custom, checks: [], accepted: [] },
    settings: new Map([['resource.customizations', settings]]),
  });
  return { text: [renderCoverage(coverage)], json: [renderJson(coverage)], values: [coverage] };
}

const texts = changedText([SCRIPT]);

/** Its module is compiled once, before any input: that takes long on a busy machine. */
const started = (target: FuzzTarget): FuzzTarget => ({
  ...target,
  run: async (parameters) => {
    await lua({ script: 'return {}' });
    return await target.run(parameters);
  },
});

export const HEALTH: readonly FuzzTarget[] = [
  started(
    fuzzTarget(
      'health cases',
      1,
      fc.tuple(texts, changedText([CASES]), changedJson([OBJECT])),
      tested,
    ),
  ),
  fuzzTarget(
    'manifests',
    8,
    fc.tuple(changedJson([DEFINITION, OBJECT]), changedText([SETTINGS])),
    covered,
  ),
];
