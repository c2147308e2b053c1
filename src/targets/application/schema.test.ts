import { afterEach, expect, test, vi } from 'vitest';
import { parsedOften } from '../../model/foreign.ts';
import { application } from './schema.ts';

afterEach(() => vi.unstubAllGlobals());

const TIME = '2026-11-15T10:00:34Z';
const SOURCE = { repoURL: 'r', path: 'p', helm: { valuesObject: { a: [{ b: false }] } } };
const RESOURCE = { group: 'g', kind: 'K', namespace: 'n', name: 'r', status: 'Synced' };
const INITIATOR = { username: 'jane', automated: true };
const OPERATION = { info: [{ name: 'a', value: 'b' }], initiatedBy: INITIATOR, sync: {} };
const COMPARED = { source: SOURCE, sources: [SOURCE], destination: { server: 's' } };
const MESSAGE = 'at https://jane:secret@git.example';
const REVISIONS = { revision: 'a', revisions: ['a'] };

/** With everything that is taken of one, and more. */
const FULL = {
  kind: 'Application',
  metadata: {
    ...{ name: 'a', namespace: 'argocd', resourceVersion: '1', uid: 'u', creationTimestamp: TIME },
    ...{ deletionTimestamp: TIME, annotations: { a: 'b' }, labels: { c: 'd' }, finalizers: ['f'] },
    ownerReferences: [{ kind: 'ApplicationSet', name: 's' }],
  },
  spec: {
    ...{ project: 'p', ...COMPARED, ignoreDifferences: [{ kind: 'K' }] },
    sourceHydrator: { drySource: { repoURL: 'r' }, syncSource: { targetBranch: 'b', path: 'p' } },
    syncPolicy: {
      automated: { prune: true, selfHeal: true, enabled: true },
      syncOptions: ['CreateNamespace=true'],
    },
  },
  operation: OPERATION,
  status: {
    operationState: {
      ...{ phase: 'Succeeded', message: MESSAGE, startedAt: TIME, finishedAt: TIME },
      operation: OPERATION,
      syncResult: {
        ...REVISIONS,
        resources: [{ ...RESOURCE, message: MESSAGE, hookType: 'Sync', hookPhase: 'Succeeded' }],
      },
    },
    history: [
      { id: 0, deployStartedAt: TIME, deployedAt: TIME, initiatedBy: INITIATOR, ...REVISIONS },
    ],
    sync: { status: 'Synced', ...REVISIONS, comparedTo: COMPARED },
    health: { status: 'Healthy', message: MESSAGE, lastTransitionTime: TIME },
    reconciledAt: TIME,
    conditions: [{ type: 'SyncError', message: MESSAGE, lastTransitionTime: TIME }],
    resources: [{ ...RESOURCE, hook: true, requiresPruning: true, health: { status: 'Healthy' } }],
  },
};

const REMOVED = Symbol('removed');
const VALUES = [
  ...[REMOVED, null, '', 'x', TIME, 0, 1.5, -1, true, false, [], {}, [null], ['x'], [[]], [{}]],
  ...[{ name: 'x' }, { '': null }, JSON.parse('{"__proto__": {"status": "Healthy"}}')],
];

/** Each value at each place of it, one at a time. */
function* changes(whole: object): Generator<unknown> {
  function* within(holder: Record<string, unknown>): Generator<unknown> {
    for (const key of Object.keys(holder)) {
      const before = holder[key];
      for (const value of VALUES) {
        if (value === REMOVED) delete holder[key];
        else holder[key] = value;
        yield root;
      }
      holder[key] = before;
      if (typeof before === 'object' && before !== null)
        yield* within(before as Record<string, unknown>);
    }
  }
  const root = { whole: structuredClone(whole) };
  for (const _ of within(root)) yield root.whole;
}

/** After so many parses that a compiled schema has taken over, if there is one. */
function parsed(): (given: unknown) => unknown {
  const parse = parsedOften(application);
  for (let times = 0; times < 2_500; times++) parse(FULL);
  return (given) => {
    try {
      return parse(given);
    } catch (error) {
      return error;
    }
  };
}

test('what is taken of an Application, and refused, is the same however many were parsed', () => {
  const parse = parsed();
  const refused = new Set<boolean>();
  for (const changed of changes(FULL)) {
    const { data, error } = application.safeParse(changed);
    refused.add(error !== undefined);
    const given = parse(changed);
    if (error) expect(given).toMatchObject({ name: error.name, message: error.message });
    else expect(given).toStrictEqual(data);
  }
  expect(refused.size).toBe(2);
});

test('so it is where a program may not make code of texts', () => {
  let refusals = 0;
  class Refused {
    constructor() {
      refusals++;
      throw new EvalError('Code generation from strings disallowed for this context');
    }
  }
  vi.stubGlobal('Function', Refused);
  expect(parsed()(FULL)).toStrictEqual(application.parse(FULL));
  expect(refusals).toBeGreaterThan(0);
});
