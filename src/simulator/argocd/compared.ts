// What a comparison writes into an Application.
import type { KubeObject } from '../cluster/object-store.ts';
import { type Application, comparedTo, REFRESH, withStatus } from './application.ts';
import { type Comparison, type Managed, namesOf } from './compare.ts';

/** How much is compared: 1 as Git was known last, 2 as it is, 3 without any cache. */
export type Level = 1 | 2 | 3;

export interface Observed {
  readonly revision: string;
  readonly comparison: Comparison;
  /** Why Git could not be asked. */
  readonly error: string | undefined;
  /** When it began, and so when it was true at the earliest. */
  readonly began: string;
  readonly level: Level;
  /** Somebody waits for it: the mark goes with it. */
  readonly asked: boolean;
}

/** `seen`: as the Application was when the comparison began. */
export function compared(
  application: Application,
  seen: Application,
  { comparison, revision, error, began, level, asked }: Observed,
  now: string,
): Application {
  const { [REFRESH]: _, ...annotations } = application.metadata.annotations ?? {};
  const next = withStatus(application, {
    sync: { status: comparison.sync, revision, comparedTo: comparedTo(seen) },
    health: healthOf(application, comparison, now),
    ...(level >= 2 ? { reconciledAt: began } : {}),
    resources: [...comparison.managed.map(resourceOf), ...comparison.hooks.map(hookOf)],
    conditions: conditionsOf(application, error, began),
    sourceType: 'Directory',
    resourceHealthSource: 'appTree',
  });
  return asked ? { ...next, metadata: { ...next.metadata, annotations } } : next;
}

/** Its time is that of its last change. */
function healthOf({ status }: Application, { health }: Comparison, now: string) {
  const before = status?.health;
  if (before?.status === health && before.lastTransitionTime) return before;
  return { status: health, lastTransitionTime: now };
}

function resourceOf(managed: Managed) {
  const { group, kind, namespace, name, status, requiresPruning, target, live, wave } = managed;
  return {
    ...(group ? { group } : {}),
    version: (target ?? live)?.apiVersion.split('/').at(-1),
    kind,
    ...(namespace ? { namespace } : {}),
    name,
    ...(status ? { status } : {}),
    ...(requiresPruning ? { requiresPruning } : {}),
    ...(wave ? { syncWave: wave } : {}),
  };
}

function hookOf(hook: KubeObject) {
  const { group, kind, namespace, name } = namesOf(hook);
  return {
    ...(group ? { group } : {}),
    version: hook.apiVersion.split('/').at(-1),
    kind,
    ...(namespace ? { namespace } : {}),
    name,
    hook: true,
    requiresPruning: true,
  };
}

/** Where the project is missing nothing is compared, and what was found before stays. */
export function withoutProject(application: Application, now: string): Application {
  const { [REFRESH]: _, ...annotations } = application.metadata.annotations ?? {};
  const message = `Application referencing project ${application.spec.project} which does not exist`;
  const others = othersOf(application);
  const known = application.status?.conditions?.find((one) => one.message === message);
  const condition = known ?? { type: 'InvalidSpecError', message, lastTransitionTime: now };
  const next = withStatus(application, { conditions: [...others, condition] });
  return { ...next, metadata: { ...next.metadata, annotations } };
}

/** Conditions of a comparison are replaced by each; those of a sync stay until the next one. */
function conditionsOf(application: Application, error: string | undefined, now: string) {
  const others = othersOf(application);
  if (error === undefined) return others.length > 0 ? others : undefined;
  return [...others, { type: 'ComparisonError', message: error, lastTransitionTime: now }];
}

const COMPARED = new Set(['ComparisonError', 'InvalidSpecError']);

const othersOf = ({ status }: Application) =>
  (status?.conditions ?? []).filter(({ type }) => !COMPARED.has(type));
