// An object as it is, and as Argo CD predicts that a sync leaves it: for people to compare, so without what no Git has and without
// values of Secrets.
import type { ResourceName } from './application-view.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface States {
  /** Without ignored differences. Undefined: it does not exist. */
  readonly live: Fields | undefined;
  /** Undefined: Git does not have it. */
  readonly predicted: Fields | undefined;
}

export interface PredictedObject extends ResourceName, States {}

const MASK = '***';
/** Written by the API server, and different after each write. */
const OF_THE_SERVER: ReadonlySet<string> = new Set([
  ...['managedFields', 'uid', 'resourceVersion', 'generation', 'creationTimestamp', 'selfLink'],
]);
/** Hold the whole object again, the data of a Secret included: of kubectl, kapp, Rancher, and of operators. */
const WHOLE_OBJECTS: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  'kapp.k14s.io/original',
  'objectset.rio.cattle.io/applied',
  'banzaicloud.com/last-applied',
  'kopf.zalando.org/last-handled-configuration',
]);
const SECRET_KEYS: ReadonlySet<string> = new Set(['data', 'stringData']);

/** Both states of one object. A value of a Secret is masked, and says whether it differs. */
export const comparable = (live: unknown, predicted: unknown): States => ({
  live: shown(live, predicted, 'before'),
  predicted: shown(predicted, live, 'after'),
});

const shown = (state: unknown, other: unknown, side: string): Fields | undefined =>
  isFields(state) ? withoutServerFields(hidden(state, other, side) as Fields) : undefined;

function withoutServerFields({ status: _, metadata, ...rest }: Fields): Fields {
  if (!isFields(metadata)) return { ...rest, ...(metadata === undefined ? {} : { metadata }) };
  const kept = Object.entries(metadata).filter(([key]) => !OF_THE_SERVER.has(key));
  return { ...rest, metadata: Object.fromEntries(kept) };
}

/** At any depth: other kinds carry whole Secrets, and templates of them. `other`: the same place of the other state. */
function hidden(value: unknown, other: unknown, side: string): unknown {
  if (Array.isArray(value)) {
    const others = Array.isArray(other) ? other : [];
    return value.map((one, at) => hidden(one, others[at], side));
  }
  if (!isFields(value)) return value;
  const isSecret = value.kind === 'Secret';
  const kept = Object.entries(value)
    .filter(([key]) => !WHOLE_OBJECTS.has(key))
    .map(([key, member]) => {
      const hide = isSecret && SECRET_KEYS.has(key) ? masked : hidden;
      return [key, hide(member, memberOf(other, key), side)];
    });
  return Object.fromEntries(kept);
}

function masked(values: unknown, others: unknown, side: string): unknown {
  if (!isFields(values)) return MASK;
  const all = Object.entries(values).map(([key, value]) => {
    const other = memberOf(others, key);
    const differs = other !== undefined && JSON.stringify(other) !== JSON.stringify(value);
    return [key, differs ? `${MASK} (${side})` : MASK];
  });
  return Object.fromEntries(all);
}

const memberOf = (value: unknown, key: string): unknown =>
  isFields(value) && Object.hasOwn(value, key) ? value[key] : undefined;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
