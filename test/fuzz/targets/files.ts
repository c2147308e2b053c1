// Files of users: platform.yaml and environment.yaml, as text and as values; a kubeconfig; the inventory that was approved.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { dump, load } from 'js-yaml';
import { environmentTemplate, platformTemplate } from '../../../src/cli/init/templates.ts';
import { compileWorkflow } from '../../../src/engines/argo-workflows/compile-workflow.ts';
import { parseInventory } from '../../../src/inventory/parse-inventory.ts';
import { BYTES_MAX } from '../../../src/model/limits.ts';
import { buildPlan } from '../../../src/plan/build-plan.ts';
import { hashOf } from '../../../src/plan/canonical.ts';
import { compile } from '../../../src/plan/compile.ts';
import type { PlatformGraph } from '../../../src/plan/platform-graph.ts';
import { parseKubeconfig } from '../../../src/targets/kubernetes/kubeconfig-file.ts';
import { renderJson, renderYaml } from '../../../src/view/data.ts';
import { renderInventory } from '../../../src/view/inventory-text.ts';
import { renderDot, renderMermaid } from '../../../src/view/plan-graph.ts';
import { renderPlanText } from '../../../src/view/plan-text.ts';
import { inventoryOf } from '../../fakes/inventory.ts';
import { type FuzzTarget, fuzzTarget } from '../fuzz.ts';
import { changedJson, changedText, changedValue } from '../hostile.ts';
import type { Told } from '../properties.ts';

const EVERYTHING = `apiVersion: tiphys.dev/v1alpha1
kind: Platform
metadata: {name: shop}
spec:
  root: root
  classes: {slow: {timeouts: {sync: 20m}, expectedDuration: 2m}}
  stacks:
    - name: data
      application: data-stack
      applications:
        - {name: db, class: slow, environments: [production]}
        - {name: api, dependsOn: [db], gate: {approval: Is it good?, dwell: 5s}}
    - {name: inner, parent: data, applications: [{name: web, dependsOn: [stack:data]}]}
`;
const PLATFORMS = [platformTemplate('shop'), EVERYTHING];
const ENVIRONMENTS = [
  environmentTemplate(),
  readFileSync('examples/reference/environment.yaml', 'utf8'),
  'name: production\ndomain: a.example\ngitRepository: https://git/a\ngitRevision: main\nevents: {image: "a:1", schedule: "0 * * * *"}\ndestinations: [{name: edge, context: edge}]\n',
];

/** As a command reads them: what is larger is refused before it is parsed. */
const sourceOf = (file: string, text: string) => ({ file, text: text.slice(0, BYTES_MAX) });

function planned(platform: string, environment?: string): Told {
  const compiled = compile(
    sourceOf('platform.yaml', platform),
    environment === undefined ? undefined : sourceOf('environment.yaml', environment),
  );
  return everyView(compiled, platform, environment);
}

function everyView(compiled: PlatformGraph, platformFile: string, environmentFile?: string): Told {
  const plan = buildPlan(compiled, { action: 'deploy' });
  const back = buildPlan(compiled, { action: 'teardown' });
  const made = { namespace: 'argo', nodes: 'agent', image: 'a:1', scopeArguments: [] } as const;
  const { files, workflow } = compileWorkflow(plan, { ...made, platformFile, environmentFile });
  const { platform: elsewhere } = compiled;
  return {
    text: [
      renderPlanText(plan, { all: true, elsewhere }),
      renderPlanText(back, { all: false, elsewhere }),
      renderYaml(plan),
      renderDot(plan),
      renderMermaid(plan),
      renderYaml(workflow),
    ],
    json: [renderJson(plan)],
    values: [plan, files, compiled.platform],
  };
}

/** Values that YAML cannot write are no files. */
const asYaml = (value: unknown): string => {
  try {
    return dump(value, { noRefs: true });
  } catch {
    return String(value);
  }
};
const valuesOf = (texts: readonly string[]) => texts.map((text) => load(text));

const KUBECONFIG = {
  ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'a' },
  contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
  clusters: [{ name: 'a', cluster: { server: 'https://a', 'certificate-authority': 'ca.crt' } }],
  users: [
    { name: 'a', user: { exec: { command: './a', args: ['b'] }, 'as-user-extra': { a: ['b'] } } },
  ],
};

/** With its right hash: whoever makes one can do that. */
function withHash(text: string): string {
  try {
    const { hash: _, operations, ...body } = JSON.parse(text);
    return JSON.stringify({ ...body, operations, hash: hashOf(body) });
  } catch {
    return text;
  }
}

function readInventory(text: string): Told {
  const found = parseInventory(text);
  if (!found) return {};
  return {
    text: [renderInventory(found, { all: true }), renderInventory(found, { all: false })],
    json: [renderJson(found)],
    values: [found],
  };
}

export const FILES: readonly FuzzTarget[] = [
  fuzzTarget('platform.yaml as text', 4, changedText(PLATFORMS), (text) => planned(text)),
  fuzzTarget(
    'platform.yaml as values',
    4,
    fc.tuple(changedValue(valuesOf(PLATFORMS)), fc.constantFrom(undefined, ENVIRONMENTS[0])),
    ([value, environment]) => planned(asYaml(value), environment),
  ),
  fuzzTarget('environment.yaml as text', 3, changedText(ENVIRONMENTS), (text) =>
    planned(EVERYTHING, text),
  ),
  fuzzTarget('environment.yaml as values', 3, changedValue(valuesOf(ENVIRONMENTS)), (value) =>
    planned(EVERYTHING, asYaml(value)),
  ),
  fuzzTarget(
    'kubeconfig',
    3,
    fc.oneof(changedText([asYaml(KUBECONFIG)]), changedValue([KUBECONFIG]).map(asYaml)),
    (text) => ({ values: [parseKubeconfig(text, '/')] }),
  ),
  fuzzTarget(
    'approved inventory',
    3,
    fc
      .tuple(changedJson([inventoryOf()]), fc.boolean())
      .map(([text, isHashed]) => (isHashed ? withHash(text) : text)),
    readInventory,
  ),
];
