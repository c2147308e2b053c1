// What a comparison writes into an Application.
import { type KubeObject, withMetadata } from '../cluster/object-store.ts';
import { type Application, comparedTo, conditionsBut, REFRESH, withStatus } from './application.ts';
import { type Comparison, type Managed, namesOf, versionOf } from './compare.ts';

/** How much is compared: 1 as Git was known last, 2 as it is, 3 without any cache. */
export type Level = 1 | 2 | 3;

export interface Seen {
  readonly revision: string;
  readonly comparison: Comparison;
  /** Why Git could not be asked. */
  readonly error: string | undefined;
}

export interface Observed extends Seen {
  /** When it began, and so when it was true at the earliest. */
  readonly began: string;
  readonly level: Level;
  /** A client waits for it: the mark is removed with it. */
  readonly asked: boolean;
}

/** `seen`: as the Application was when the comparison began. */
export function compared(
  application: Application,
  seen: Application,
  { comparison, revision, error, began, level, asked }: Observed,
  now: string,
): Application {
  const next = withStatus(application, {
    sync: { status: comparison.sync, revision, comparedTo: comparedTo(seen) },
    health: healthOf(application, comparison, now),
    ...(level >= 2 ? { reconciledAt: began } : {}),
    resources: [...comparison.managed.map(resourceOf), ...comparison.hooks.map(hookOf)],
    conditions: conditionsOf(application, error, began),
    sourceType: 'Directory',
    resourceHealthSource: 'appTree',
  });
  return asked ? withoutRefresh(next) : next;
}

/** Its time is that of its last change. */
function healthOf({ status }: Application, { health }: Comparison, now: string) {
  const before = status?.health;
  if (before?.status === health && before.lastTransitionTime) return before;
  return { status: health, lastTransitionTime: now };
}

function resourceOf({ target, live, status, requiresPruning, wave }: Managed) {
  return {
    ...named((target ?? live) as KubeObject),
    ...(status ? { status } : {}),
    ...(requiresPruning ? { requiresPruning } : {}),
    ...(wave ? { syncWave: wave } : {}),
  };
}

const hookOf = (hook: KubeObject) => ({ ...named(hook), hook: true, requiresPruning: true });

function named(object: KubeObject) {
  const { group, kind, namespace, name } = namesOf(object);
  const version = versionOf(object);
  return { ...(group ? { group } : {}), version, kind, ...(namespace ? { namespace } : {}), name };
}

/** Where the project is missing nothing is compared, and what was found before stays. */
export function withoutProject(application: Application, now: string): Application {
  const message = `Application referencing project ${application.spec.project} which does not exist`;
  const others = conditionsBut(application, ...COMPARED);
  const known = application.status?.conditions?.find((one) => one.message === message);
  const condition = known ?? { type: 'InvalidSpecError', message, lastTransitionTime: now };
  return withoutRefresh(withStatus(application, { conditions: [...others, condition] }));
}

function withoutRefresh(application: Application): Application {
  const { [REFRESH]: _, ...annotations } = application.metadata.annotations ?? {};
  return withMetadata(application, { annotations });
}

/** Conditions of a comparison are replaced by each; those of a sync stay until the next one. */
function conditionsOf(application: Application, error: string | undefined, now: string) {
  const others = conditionsBut(application, ...COMPARED);
  if (error === undefined) return others.length > 0 ? others : undefined;
  return [...others, { type: 'ComparisonError', message: error, lastTransitionTime: now }];
}

const COMPARED = ['ComparisonError', 'InvalidSpecError'];
