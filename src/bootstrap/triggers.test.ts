import { expect, test } from 'vitest';
import type { EnvironmentFile } from '../model/environment-file.ts';
import { parsePlatform } from '../model/platform.ts';
import type { Manifest } from './manifest.ts';
import { triggersOf } from './triggers.ts';

const PLATFORM = `apiVersion: tiphys.dev/v1alpha1
kind: Platform
metadata: {name: shop}
spec:
  argocd: {namespace: cd}
  stacks: [{name: data, applications: [{name: db}]}]
`;

const made = (events?: EnvironmentFile['events'], more: Partial<EnvironmentFile> = {}) =>
  triggersOf({
    platform: parsePlatform({ file: 'platform.yaml', text: PLATFORM }),
    environment: {
      ...{ name: 'staging', domain: 'example.com', gitRepository: 'https://git.example.com/shop' },
      ...{ gitRevision: 'main', ...(events && { events }), ...more },
    },
    projects: ['shop', 'a.b'],
    files: { platform: PLATFORM, environment: 'name: staging\n' },
  });

const named = (manifests: readonly Manifest[]) =>
  manifests.map(({ kind, metadata }) => {
    const { name, namespace } = metadata as Record<string, string>;
    return `${kind} ${namespace}/${name}`;
  });

/** As Ansible gets it: the shape of every object is in the hands of others. */
const read = (events: EnvironmentFile['events'], kind: string, more?: Partial<EnvironmentFile>) =>
  made(events, more).present.filter((one) => one.kind === kind) as unknown as {
    // biome-ignore lint/suspicious/noExplicitAny: objects of other programs
    spec: any;
  }[];

const ALL = { image: 'registry.example.com/executor:1', push: true, call: true };
const FOUR = { ...ALL, schedule: '0 3 * * *', degraded: true };

test('without events everything that starts runs is taken away', () => {
  expect(made()).toMatchObject({ present: [], hooks: [] });
  expect(named(made().absent)).toEqual([
    'EventSource argo-events/tiphys-hooks',
    'Service argo-events/tiphys-hooks',
    'EventSource argo-events/tiphys-watch',
    'Sensor argo-events/tiphys',
    'WorkflowTemplate argo/tiphys-event',
    'ConfigMap argo/tiphys-event-files',
  ]);
  expect(made({ image: 'executor' }).present).toEqual([]);
});

test('what is present is not absent, and the other way round', () => {
  const { present, absent, hooks } = made(ALL);
  expect(named(present)).toEqual([
    'ConfigMap argo/tiphys-event-files',
    'WorkflowTemplate argo/tiphys-event',
    'Sensor argo-events/tiphys',
    'Service argo-events/tiphys-hooks',
    'EventSource argo-events/tiphys-hooks',
  ]);
  expect(named(absent)).toEqual(['EventSource argo-events/tiphys-watch']);
  expect(hooks).toEqual([
    { name: 'push', path: '/push', port: 12_000 },
    { name: 'call', path: '/run', port: 12_001 },
  ]);
  expect(made(FOUR).absent).toEqual([]);
});

test('no hook is without the secret', () => {
  const [{ spec } = { spec: {} }] = read(ALL, 'EventSource');
  const secret = (key: string) => ({ name: 'tiphys-webhook', key });
  expect(spec.github.push).toMatchObject({ webhookSecret: secret('secret') });
  expect(spec.webhook.call).toMatchObject({ authSecret: secret('token') });
});

test('the Sensor knows the events that are on, and no others', () => {
  const dependencies = (events: EnvironmentFile['events']) =>
    read(events, 'Sensor')[0]?.spec.dependencies.map(({ name }: { name: string }) => name);
  expect(dependencies(FOUR)).toEqual(['push', 'call', 'schedule', 'degraded']);
  expect(dependencies({ image: 'x', call: true })).toEqual(['call']);
  const [sensor] = read({ image: 'x', push: true, degraded: true }, 'Sensor');
  expect(sensor?.spec.triggers[0].template.conditions).toBe('push || degraded');
});

const filterOf = (name: string, path: string, more?: Partial<EnvironmentFile>): RegExp[] => {
  const { dependencies } = read(FOUR, 'Sensor', more)[0]?.spec ?? {};
  const { filters } = dependencies.find((one: { name: string }) => one.name === name);
  const { value } = filters.data.find((one: { path: string }) => one.path === path);
  return value.map((text: string) => new RegExp(text));
};

const passes = (filters: readonly RegExp[], text: string) => filters.some((one) => one.test(text));

test.each([
  ['main', 'refs/heads/main', true],
  ['main', 'refs/heads/maintenance', false],
  ['main', 'refs/heads/not/main', false],
  ['v1.0', 'refs/tags/v1.0', true],
  ['v1.0', 'refs/tags/v1x0', false],
  ['release/next+1', 'refs/heads/release/next+1', true],
  ['HEAD', 'refs/heads/any', true],
])('for the revision %s a push to %s counts: %s', (gitRevision, ref, counts) => {
  expect(passes(filterOf('push', 'ref', { gitRevision }), ref)).toBe(counts);
});

test.each([
  ['platform', true],
  ['stack:data', true],
  ['app:db.main', true],
  ['db', false],
  ['app:{{workflow.name}}', false],
  ['app:a b', false],
  ['platform\napp:x', false],
])('a call for the scope %j is taken: %s', (scope, taken) => {
  expect(passes(filterOf('call', 'scope'), scope)).toBe(taken);
});

test('a call deploys or validates, and never takes down', () => {
  const filters = filterOf('call', 'action');
  const actions = ['deploy', 'validate', 'teardown'];
  expect(actions.filter((one) => passes(filters, one))).toEqual(['deploy', 'validate']);
});

test('only Applications of the platform count', () => {
  const filters = filterOf('degraded', 'project');
  expect(['shop', 'a.b', 'axb', 'shop2'].filter((one) => passes(filters, one))).toEqual([
    'shop',
    'a.b',
  ]);
});

test('the name of an event is that of its dependency, whatever the event brings', () => {
  const [{ spec } = { spec: {} }] = read(FOUR, 'Sensor');
  const { parameters } = spec.triggers[0].template.k8s;
  const names = parameters.filter(
    ({ dest }: Manifest) => dest === `spec.arguments.parameters.3.value`,
  );
  expect(names.map(({ src }: Manifest) => src)).toEqual(
    ['push', 'call', 'schedule', 'degraded'].map((name) => ({
      ...{ dependencyName: name, dataTemplate: name },
    })),
  );
});

test('every run has the mutex of the platform, its files and its image', () => {
  const [{ spec } = { spec: {} }] = read(ALL, 'WorkflowTemplate');
  expect(spec.synchronization).toEqual({ mutexes: [{ name: 'tiphys-shop' }] });
  const [[, [deploy]]] = spec.templates.map(({ steps }: { steps: unknown }) => steps);
  expect(deploy.arguments.parameters).toEqual([
    { name: 'files', value: 'tiphys-event-files' },
    { name: 'environment', value: 'staging' },
    { name: 'scope', value: '{{workflow.parameters.scope}}' },
    { name: 'image', value: 'registry.example.com/executor:1' },
    { name: 'trigger', value: 'event:{{workflow.parameters.trigger}}' },
  ]);
});

test('an environment with a name of its own runs as production', () => {
  const [{ spec } = { spec: {} }] = read(ALL, 'WorkflowTemplate', { name: 'lab' });
  expect(JSON.stringify(spec)).toContain('{"name":"environment","value":"production"}');
});

/** Whether kubectl would choose a Workflow with these labels. */
function isChosen(flags: readonly string[], labels: Readonly<Record<string, string>>): boolean {
  const [, selector = ''] = flags.map((one) => one.split('--selector=')).find(([, it]) => it) ?? [];
  return selector.split(',').every((part) => {
    const [key = '', value] = part.split('=');
    return labels[key] === value;
  });
}

test('of the Workflows of the same event those are taken away that wait, and none that runs', () => {
  const [{ spec } = { spec: {} }] = read(ALL, 'WorkflowTemplate');
  const { action, flags } = spec.templates.find(
    (one: Manifest) => one.name === 'withdraw',
  ).resource;
  const event = '{{workflow.parameters.event}}';
  const phases = ['Pending', 'Running', 'Succeeded', 'Failed'];
  const chosen = (of: string) =>
    phases.filter((phase) =>
      isChosen(flags, { 'tiphys.dev/event': of, 'workflows.argoproj.io/phase': phase }),
    );
  expect([action, chosen(event), chosen('other')]).toEqual(['delete', ['Pending'], []]);
  expect(flags).toContain('--field-selector=metadata.name!={{workflow.name}}');
});
