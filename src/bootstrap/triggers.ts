// What starts runs automatically, as objects of Argo Events and Argo Workflows. The environment file selects the events.
import type { EnvironmentFile } from '../model/environment-file.ts';
import type { Platform } from '../model/platform.ts';
import {
  addressesOf,
  EVENTS_NAMESPACE,
  HOOKS,
  hasHooks,
  hasWatch,
  hooksOf,
  SERVICE,
  serviceOf,
  WATCH,
  watchOf,
} from './event-sources.ts';
import { ARGO, type Identity, type Manifest, manifest, type Value } from './manifest.ts';
import { GIVEN, SENSOR, sensorOf, TEMPLATE } from './sensor.ts';

export interface TriggersInput {
  readonly platform: Platform;
  readonly environment: EnvironmentFile;
  readonly projects: readonly string[];
  /** The texts of both files, which the runs get. */
  readonly files: { readonly platform: string; readonly environment: string };
}

export interface Triggers {
  readonly [key: string]: readonly Value[];
  /** In order of creation. */
  readonly present: readonly Manifest[];
  /** The objects that are no longer wanted. */
  readonly absent: readonly Manifest[];
  /** The addresses of the webhooks. */
  readonly hooks: readonly Manifest[];
}

const FILES: Identity = ['v1', 'ConfigMap', 'tiphys-event-files'];
const RUN: Identity = [ARGO, 'WorkflowTemplate', TEMPLATE];
/** The inputs of the executor. */
const ENVIRONMENTS = ['development', 'staging', 'production'];

export function triggersOf(input: TriggersInput): Triggers {
  const { platform, environment, projects, files } = input;
  const { events, gitRevision } = environment;
  const { workflowsNamespace, argocdNamespace } = platform;
  const [hooks, watch] = [events && hasHooks(events), events && hasWatch(events)];
  const at = (identity: Identity, content?: Manifest) => {
    const isOfRuns = identity === FILES || identity === RUN;
    return manifest(identity, isOfRuns ? workflowsNamespace : EVENTS_NAMESPACE, content);
  };
  const data = { 'dag.yaml': files.platform, 'environment.yaml': files.environment };
  const present =
    events && (hooks || watch)
      ? [
          at(FILES, { data }),
          at(RUN, { spec: runOf(input, events) }),
          sensorOf({ events, workflowsNamespace, projects, gitRevision }),
          ...(hooks ? [serviceOf(events), hooksOf(events)] : []),
          ...(watch ? [watchOf(events, argocdNamespace)] : []),
        ]
      : [];
  const keyOf = ({ kind, metadata }: Manifest) =>
    `${kind} ${(metadata as { readonly name: string }).name}`;
  const made = new Set(present.map(keyOf));
  const all = [HOOKS, SERVICE, WATCH, SENSOR, RUN, FILES].map((one) => at(one));
  const absent = all.filter((one) => !made.has(keyOf(one)));
  return { present, absent, hooks: events ? addressesOf(events) : [] };
}

/**
 * One run, once it has the platform's mutex. First it removes the waiting ones with the same task: it starts after their events, so it
 * does their work, too. The steps themselves are those of workflows/templates.yaml, which the role inserts.
 */
function runOf({ platform, environment }: TriggersInput, { image }: { image: string }): Manifest {
  const { name } = environment;
  const given: readonly (readonly [string, string])[] = [
    ['files', FILES[2]],
    ['environment', ENVIRONMENTS.includes(name) ? name : 'production'],
    ['scope', '{{workflow.parameters.scope}}'],
    ['image', image],
  ];
  const parameters = given.map(([key, value]) => ({ name: key, value }));
  const step = (action: string, template: string, more: readonly Manifest[] = []) => ({
    ...{ name: action, template, arguments: { parameters: [...parameters, ...more] } },
    when: `{{workflow.parameters.action}} == ${action}`,
  });
  return {
    ...{ entrypoint: 'main', serviceAccountName: 'tiphys-run' },
    arguments: { parameters: GIVEN.map(withDefault) },
    synchronization: { mutexes: [{ name: `tiphys-${platform.name}` }] },
    podGC: { strategy: 'OnWorkflowSuccess' },
    ttlStrategy: { secondsAfterSuccess: 86_400, secondsAfterFailure: 604_800 },
    templates: [
      {
        name: 'main',
        steps: [
          [{ name: 'withdraw', template: 'withdraw' }],
          [step('deploy', 'sync-and-wait', [TRIGGER]), step('validate', 'validate')],
        ],
      },
      WITHDRAW,
    ],
  };
}

/** A Sensor of an earlier version does not say what triggered it. */
const withDefault = (name: string): Manifest => ({
  name,
  ...(name === 'trigger' ? { value: 'unknown' } : {}),
});

/** For the record of the run. */
const TRIGGER: Manifest = { name: 'trigger', value: 'event:{{workflow.parameters.trigger}}' };

const WITHDRAW: Manifest = {
  ...{ name: 'withdraw', serviceAccountName: 'tiphys-withdraw' },
  securityContext: { runAsNonRoot: true, runAsUser: 65_532, runAsGroup: 65_532 },
  resource: {
    action: 'delete',
    flags: [
      'workflows.argoproj.io',
      '--namespace={{workflow.namespace}}',
      '--selector=tiphys.dev/event={{workflow.parameters.event}},workflows.argoproj.io/phase=Pending',
      '--field-selector=metadata.name!={{workflow.name}}',
      '--wait=false',
    ],
  },
};
