// Each event becomes a Workflow. Events differ, so each is first transformed into one shape: action, scope and cause.
import { EVENTS_NAMESPACE, type Events, HOOKS, podOf, WATCH } from './event-sources.ts';
import { ARGO, type Identity, type Manifest, manifest, type Value } from './manifest.ts';

export interface SensorInput {
  readonly events: Events;
  readonly workflowsNamespace: string;
  /** Of the platform's Applications. */
  readonly projects: readonly string[];
  readonly gitRevision: string;
}

export const SENSOR: Identity = [ARGO, 'Sensor', 'tiphys'];
/** Of the WorkflowTemplate, and of the name of each Workflow. */
export const TEMPLATE = 'tiphys-event';

interface Dependency {
  readonly name: 'push' | 'call' | 'schedule' | 'degraded';
  readonly source: Identity;
  /** The event in that shape, and what its filters use. */
  readonly shape: string;
  readonly filters?: Manifest;
}

export function sensorOf(input: SensorInput): Manifest {
  const wanted = dependencies(input).filter(({ name }) => input.events[name]);
  return manifest(SENSOR, EVENTS_NAMESPACE, {
    spec: {
      template: podOf('tiphys-sensor'),
      dependencies: wanted.map(({ name, source, shape, filters }) => ({
        ...{ name, eventSourceName: source[2], eventName: name, transform: { jq: shape } },
        ...(filters && { filters }),
      })),
      triggers: [
        {
          template: {
            name: 'run',
            conditions: wanted.map(({ name }) => name).join(' || '),
            k8s: {
              operation: 'create',
              source: { resource: workflowOf(input.workflowsNamespace) },
              parameters: wanted.flatMap(({ name }) => parametersFrom(name)),
            },
          },
          // Acknowledged to the bus only when the Workflow exists.
          atLeastOnce: true,
          retryStrategy: { steps: 6, duration: '2s', factor: 2 },
        },
      ],
    },
  });
}

function dependencies({ projects, gitRevision }: SensorInput): readonly Dependency[] {
  const text = (path: string, value: readonly string[]) => ({ path, type: 'string', value });
  return [
    {
      ...{ name: 'push', source: HOOKS },
      shape: `{ref: .body.ref, action: "deploy", scope: "platform", cause: ("push of " + .body.after)}`,
      filters: { data: [text('ref', [refOf(gitRevision)])] },
    },
    {
      ...{ name: 'call', source: HOOKS },
      shape: `{action: (.body.action // "deploy"), scope: (.body.scope // "platform"), cause: "call"}`,
      filters: {
        data: [text('action', ['^(deploy|validate)$']), text('scope', [SCOPE])],
      },
    },
    {
      ...{ name: 'schedule', source: WATCH },
      shape: `{action: "validate", scope: "platform", cause: ("schedule of " + .eventTime)}`,
    },
    {
      ...{ name: 'degraded', source: WATCH },
      shape: `{project: .body.spec.project, before: (.oldBody.status.health.status // "none"), action: "validate", scope: "platform", cause: (.body.metadata.name + " is Degraded")}`,
      filters: {
        data: [text('project', projects.map(exactly))],
        // It was not Degraded before: an Application is updated often.
        exprs: [{ expr: 'before != "Degraded"', fields: [{ name: 'before', path: 'before' }] }],
      },
    },
  ];
}

/** Blocks everything that Argo Workflows could evaluate as an expression. */
const SCOPE = '^(platform|(stack|app):[a-z0-9]([a-z0-9.-]*[a-z0-9])?)$';

/** Names of branches and tags, for Go. */
const exactly = (text: string) => `^${text.replaceAll(/[^\w/-]/g, '\\$&')}$`;
const refOf = (revision: string) =>
  revision === 'HEAD' ? '^refs/heads/' : `^refs/(heads|tags)/${exactly(revision).slice(1)}`;

const PARAMETERS = 'spec.arguments.parameters';
/** Of the WorkflowTemplate, in this order. */
export const GIVEN = ['action', 'scope', 'event', 'trigger'];

/** The kind of run: of those that wait for the same one, only one is needed. */
const EVENT = '{{ .Input.action }}-{{ .Input.scope | sha1sum | trunc 12 }}';

function parametersFrom(dependencyName: string): readonly Value[] {
  const key = (dataKey: string, dest: string) => ({ src: { dependencyName, dataKey }, dest });
  const template = (dataTemplate: string, dest: string) => ({
    ...{ src: { dependencyName, dataTemplate }, dest },
  });
  return [
    key('action', `${PARAMETERS}.0.value`),
    key('scope', `${PARAMETERS}.1.value`),
    template(EVENT, `${PARAMETERS}.2.value`),
    // Its name only, and no data of the event.
    template(dependencyName, `${PARAMETERS}.3.value`),
    template(EVENT, 'metadata.labels.tiphys\\.dev/event'),
    key('cause', 'metadata.annotations.tiphys\\.dev/cause'),
  ];
}

const workflowOf = (namespace: string): Manifest => ({
  ...{ apiVersion: ARGO, kind: 'Workflow' },
  metadata: { generateName: `${TEMPLATE}-`, namespace, labels: {}, annotations: {} },
  spec: {
    workflowTemplateRef: { name: TEMPLATE },
    arguments: { parameters: GIVEN.map((name) => ({ name, value: '' })) },
  },
});
