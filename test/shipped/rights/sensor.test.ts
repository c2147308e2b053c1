// The Sensor may create Workflows, and a Workflow runs any program with any ServiceAccount: the policy leaves it those of events.
import { readFileSync } from 'node:fs';
import { loadAll } from 'js-yaml';
import { expect, test } from 'vitest';
import { type SensorInput, sensorOf } from '../../../src/bootstrap/sensor.ts';
import { type Policy, refusing } from './policies.ts';

interface Manifest extends Policy {
  readonly rules?: readonly { readonly resources: string[]; readonly verbs: string[] }[];
  readonly roleRef?: { readonly name: string };
  readonly subjects?: readonly { readonly name: string; readonly namespace: string }[];
}

const FILES = ['event-rights.yaml', 'rights.yaml', 'teardown-rights.yaml'];
const ALL = FILES.flatMap((file) =>
  loadAll(readFileSync(`workflows/${file}`, 'utf8')),
) as Manifest[];
const SENSOR = 'system:serviceaccount:argo-events:tiphys-sensor';

type Fields = Record<string, unknown>;

interface Trigger {
  readonly template: { readonly k8s: { readonly source: { readonly resource: Made } } };
}

interface Made {
  readonly spec: { readonly arguments: { readonly parameters: { value: string }[] } };
}

/** As the Sensor makes it, with the values of an event in it. */
function workflow(
  spec: Fields = {},
  values = ['deploy', 'app:web', 'deploy-0123456789ab', 'push'],
) {
  const events = { image: 'x', push: true } as SensorInput['events'];
  const sensor = sensorOf({
    events,
    workflowsNamespace: 'argo',
    projects: [],
    gitRevision: 'main',
  });
  const { triggers } = sensor.spec as unknown as { triggers: [Trigger] };
  const made = structuredClone(triggers[0].template.k8s.source.resource);
  for (const [at, one] of made.spec.arguments.parameters.entries()) one.value = values[at] ?? '';
  return { ...made, spec: { ...made.spec, ...spec } };
}

const attempt = (object: object, user = SENSOR) =>
  refusing(ALL, { user, resource: 'workflows', object });

test('a run of an event is created', () => {
  expect(attempt(workflow())).toEqual([]);
  expect(attempt(workflow({}, ['validate', 'platform', 'validate-0123456789ab', 'call']))).toEqual(
    [],
  );
  expect(attempt({ ...workflow(), status: {} })).toEqual([]);
  expect(attempt({ spec: { entrypoint: 'main' } }, 'jane')).toEqual([]);
});

const container = { name: 'main', container: { image: 'any' } };

test.each<[string, object]>([
  ['another ServiceAccount', workflow({ serviceAccountName: 'tiphys-teardown' })],
  ['a program of its own', { spec: { entrypoint: 'main', templates: [container] } }],
  ['a program beside', workflow({ templates: [container], entrypoint: 'main' })],
  ['a patch of the pod', workflow({ podSpecPatch: '{}' })],
  ['something at the end', workflow({ onExit: 'main' })],
  ['another template', workflow({ workflowTemplateRef: { name: 'other' } })],
  [
    'one of the cluster',
    workflow({ workflowTemplateRef: { name: 'tiphys-event', clusterScope: true } }),
  ],
  [
    'one that claims to have begun with another program',
    {
      ...workflow(),
      status: { storedWorkflowTemplateSpec: { entrypoint: 'main', templates: [container] } },
    },
  ],
  ['one that has ended', { ...workflow(), status: { phase: 'Succeeded' } }],
  ['no template', { spec: { arguments: { parameters: [] } } }],
  ['a teardown', workflow({}, ['teardown', 'platform', 'deploy-0123456789ab', 'push'])],
  [
    'an expression',
    workflow({}, ['deploy', 'app:{{workflow.name}}', 'deploy-0123456789ab', 'push']),
  ],
  [
    'the removal of all others',
    workflow({}, ['deploy', 'platform', 'x,tiphys.dev/event!=x', 'push']),
  ],
  [
    'an expression as the name of the event',
    workflow({}, ['deploy', 'platform', 'deploy-0123456789ab', '{{workflow.name}}']),
  ],
  ['artifacts', workflow({ arguments: { parameters: [], artifacts: [] } })],
  [
    'a value from elsewhere',
    workflow({ arguments: { parameters: [{ name: 'scope', value: 'platform', valueFrom: {} }] } }),
  ],
  ['an argument of its own', workflow({ arguments: { parameters: [{ name: 'x', value: 'y' }] } })],
])('the Sensor does not create %s', (_, object) => {
  expect(attempt(object)).toEqual(['tiphys-sensor']);
});

test('whoever creates Workflows is under that policy, which is in force', () => {
  const roles = ALL.filter(({ kind, rules = [] }) => {
    const creates = rules.some(
      ({ resources, verbs }) =>
        resources.includes('workflows') &&
        verbs.some((verb) => ['create', 'update', 'patch'].includes(verb)),
    );
    return kind.endsWith('Role') && creates;
  }).map(({ metadata }) => metadata.name);
  const bound = ALL.filter(({ roleRef }) => roleRef && roles.includes(roleRef.name));
  const users = bound.flatMap(({ subjects = [] }) =>
    subjects.map(({ name, namespace }) => `system:serviceaccount:${namespace}:${name}`),
  );
  expect(users).toEqual([SENSOR]);
  const bindings = ALL.filter(({ kind }) => kind === 'ValidatingAdmissionPolicyBinding');
  expect(bindings.map(({ spec }) => spec)).toContainEqual({
    ...{ policyName: 'tiphys-sensor', validationActions: ['Deny'] },
  });
});
