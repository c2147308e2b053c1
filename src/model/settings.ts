// The settings of one application, from all their sources. The nearest source with a value wins: application, class,
// stack, the stacks that contain it, platform, environment, built-in default.
import type { EnvironmentFile } from './environment-file.ts';
import type { ProbeEntry } from './fields.ts';
import type { ApplicationEntry, PlatformFile, SettingsClass, StackEntry } from './platform-file.ts';
import type { Probe } from './probe.ts';

/** Durations in whole seconds. */
export interface Settings {
  readonly timeouts: { readonly sync: number; readonly health: number };
  readonly retries: { readonly maxAttempts: number; readonly backoff: number };
  readonly gate: {
    readonly dwell: number;
    readonly degradedGrace: number;
    readonly allowSuspended: boolean;
    readonly allowEmpty: boolean;
    readonly ignoreOutOfSync: readonly string[];
    /** What a person must confirm before the gate opens; undefined: nothing. */
    readonly approval?: string | undefined;
    /** The probe before the gate opens; undefined: none. */
    readonly probe?: Probe | undefined;
  };
  readonly expectedDuration: number;
}

const minutes = (count: number): number => count * 60;

const BUILT_IN: Settings = {
  timeouts: { sync: minutes(5), health: minutes(5) },
  retries: { maxAttempts: 3, backoff: 10 },
  gate: {
    dwell: 10,
    degradedGrace: 60,
    allowSuspended: false,
    allowEmpty: false,
    ignoreOutOfSync: [],
  },
  expectedDuration: minutes(2.5),
};

export const RUN_TIMEOUT = minutes(120);
/** Seconds for one slow request to Argo CD. */
export const REQUEST_TIMEOUT = 30;
export const CONCURRENCY = 20;
export const ARGOCD_NAMESPACE = 'argocd';
export const ARGOCD_PROJECT = 'default';
export const WORKFLOWS_NAMESPACE = 'argo';
export const PROBES_NAMESPACE = 'tiphys-probes';
/** Seconds for one try; it may include pulling an image. */
const PROBE_TIMEOUT = { address: 10, job: 60 };

/**
 * Classes that every file has: the application types of RFC 3.8.5 with its timeouts. The expected durations are the
 * middles of the ranges in RFC 3.8.2 for the layer where that type determines the time; Ceph's excludes its operator.
 */
const BUILT_IN_CLASSES: ReadonlyMap<string, SettingsClass> = new Map([
  ['simple', builtInClass(5, 2.5)],
  ['operator', builtInClass(10, 3)],
  ['ceph', builtInClass(30, 17)],
  ['database', builtInClass(15, 7.5)],
  ['vault', builtInClass(15, 6.5)],
]);

function builtInClass(timeout: number, expected: number): SettingsClass {
  const both = { sync: minutes(timeout), health: minutes(timeout) };
  return { timeouts: both, expectedDuration: minutes(expected) };
}

export const isBuiltInClass = (name: string): boolean => BUILT_IN_CLASSES.has(name);

export type Classes = ReadonlyMap<string, readonly SettingsClass[]>;

/** A class in the file overrides the built-in class of the same name. */
export function classesOf(file: PlatformFile): Classes {
  const written = new Map(Object.entries(file.spec.classes ?? {}));
  const names = [...BUILT_IN_CLASSES.keys(), ...written.keys()];
  const layers = (name: string) => [written.get(name), BUILT_IN_CLASSES.get(name)];
  return new Map(names.map((name) => [name, layers(name).filter((layer) => layer !== undefined)]));
}

interface SettingsSources {
  readonly application?: ApplicationEntry | undefined;
  readonly classes: Classes;
  readonly stack?: StackEntry | undefined;
  /** The stacks that contain it, nearest first. */
  readonly around?: readonly StackEntry[] | undefined;
  readonly file: PlatformFile;
  readonly environment: EnvironmentFile | undefined;
}

export function resolveSettings(sources: SettingsSources): Settings {
  const { application, classes, stack, around = [], file, environment } = sources;
  const ofClass = classes.get(application?.class ?? '') ?? [];
  /** From the outermost to the nearest. */
  const layers: readonly (SettingsClass | undefined)[] = [
    ...[environment, file.spec, ...around.toReversed(), stack],
    ...ofClass.toReversed(),
    application,
  ];
  const merged = <K extends 'timeouts' | 'retries' | 'gate'>(part: K): Settings[K] =>
    Object.assign({}, BUILT_IN[part], ...layers.map((layer) => layer?.[part]));
  // The platform's timeouts include the one of the run.
  const { sync, health } = merged('timeouts');
  const gate = withoutQuestions(merged('gate'));
  // Per Application: an approval or probe of a stack belongs to the stack's gate, not to those of its members.
  const { approval, probe } = (application ?? stack)?.gate ?? {};
  const [expectedDuration = BUILT_IN.expectedDuration] = layers
    .flatMap((layer) => layer?.expectedDuration ?? [])
    .slice(-1);
  return {
    timeouts: { sync, health },
    retries: merged('retries'),
    // A set: its order must not appear in the plan.
    gate: {
      ...gate,
      ignoreOutOfSync: [...new Set(gate.ignoreOutOfSync)].sort(),
      ...(approval !== undefined && { approval }),
      ...(probe !== undefined && { probe: withTimeout(probe) }),
    },
    expectedDuration,
  };
}

const withTimeout = (probe: ProbeEntry): Probe => ({
  ...probe,
  timeout: probe.timeout ?? (probe.job ? PROBE_TIMEOUT.job : PROBE_TIMEOUT.address),
});

/** The same gate without approval and probe. */
export function withoutQuestions(gate: Settings['gate']): Settings['gate'] {
  const { approval: _, probe: __, ...times } = gate;
  return times;
}
