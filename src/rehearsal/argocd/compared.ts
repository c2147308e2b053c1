// What a comparison writes into an Application.
import { type Application, comparedTo, REFRESH, withStatus } from './application.ts';
import type { Comparison, Managed } from './compare.ts';

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
    resources: comparison.managed.map(resourceOf),
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
    status,
    ...(requiresPruning ? { requiresPruning } : {}),
    ...(wave ? { syncWave: wave } : {}),
  };
}

/** Conditions of a comparison are replaced by each; those of a sync stay until the next one. */
function conditionsOf({ status }: Application, error: string | undefined, now: string) {
  const others = (status?.conditions ?? []).filter(({ type }) => type !== 'ComparisonError');
  if (error === undefined) return others.length > 0 ? others : undefined;
  return [...others, { type: 'ComparisonError', message: error, lastTransitionTime: now }];
}
