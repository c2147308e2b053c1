// Answers of Kubernetes and Argo CD, through the real clients to what the commands print.
import fc from 'fast-check';
import { diffPlatform } from '../../../src/engines/inspect/diff-platform.ts';
import { dryRun } from '../../../src/engines/inspect/dry-run.ts';
import { explainNode } from '../../../src/engines/inspect/explain-node.ts';
import { statusOf } from '../../../src/engines/inspect/read-status.ts';
import { validate } from '../../../src/engines/inspect/validate-platform.ts';
import { API_VERSION } from '../../../src/model/api-version.ts';
import { buildPlan } from '../../../src/plan/build-plan.ts';
import { compile } from '../../../src/plan/compile.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Target } from '../../../src/ports/target.ts';
import type { Diff, ObjectDiff } from '../../../src/report/platform-diff.ts';
import { changeTo, windowsOwner } from '../../../src/run/hold.ts';
import { listRuns, readRun } from '../../../src/session/record/history.ts';
import type { TransportRequest } from '../../../src/targets/transport.ts';
import { renderDiffJson } from '../../../src/view/diff/diff-data.ts';
import { renderDiff } from '../../../src/view/diff/diff-text.ts';
import { renderDryRun } from '../../../src/view/dry-run-text.ts';
import { renderExplanation } from '../../../src/view/explain-text.ts';
import { renderJson, renderWarning } from '../../../src/view/lines.ts';
import { renderHistory, renderRuns } from '../../../src/view/runs-text.ts';
import { renderStatus } from '../../../src/view/status-text.ts';
import { renderValidation } from '../../../src/view/validation-text.ts';
import { type FuzzTarget, fuzzTarget } from '../fuzz.ts';
import { changedJson, hostileText, jsonOf } from '../hostile.ts';
import type { Told } from '../properties.ts';
import { type Answers, hostileCluster } from './hostile-cluster.ts';
import {
  APPLICATIONS,
  EVENTS,
  LEASE,
  MANAGED,
  PROJECT,
  REFUSALS,
  recordOf,
  TREE,
  WINDOWS,
} from './samples.ts';

const FILE = `apiVersion: tiphys.dev/v1alpha1
kind: Platform
metadata: {name: shop}
spec:
  stacks:
    - name: all
      applications:
        - {name: api, gate: {approval: Is it good?}}
`;
export const PLAN = buildPlan(compile({ file: 'platform.yaml', text: FILE }), { action: 'deploy' });
const ADDRESS = { name: 'api', namespace: 'argocd', project: 'default' };

const listOf = (...items: unknown[]) => ({ metadata: { resourceVersion: '9' }, items });
const RECORD = recordOf(EVENTS.map(jsonOf));

/** Good answers, by path. */
const GOOD: readonly (readonly [RegExp, unknown])[] = [
  [/\/managed-resources\?/, MANAGED.at(-1)],
  [/\/resource-tree\?/, TREE],
  [/\/syncwindows\?/, WINDOWS],
  [/\/proxy\/api\/v1\/applications\//, APPLICATIONS[0]],
  [/\/proxy\/api\/v1\/projects\//, PROJECT],
  [/\/can-i\//, { value: 'yes' }],
  [/\/proxy\/api\/version/, { Version: 'v3.2.0' }],
  [/\/namespaces\/argocd\/applications\?/, listOf(...APPLICATIONS)],
  [/\/namespaces\/argocd\/applicationsets\?/, listOf()],
  [/\/leases\//, LEASE],
  [/\/configmaps\?/, listOf(RECORD)],
  [/selfsubjectaccessreviews/, { status: { allowed: true } }],
  [/selfsubjectreviews/, { status: { userInfo: { username: 'jane' } } }],
];
const TEXTS = GOOD.map(([path, value]) => [path, JSON.stringify(value)] as const);

export const goodAnswers: Answers = ({ path }: TransportRequest) => {
  const found = TEXTS.find(([one]) => one.test(path));
  return found ? { text: found[1] } : { status: 404, text: '{}' };
};

interface Given {
  readonly text: string;
  readonly status: number;
  readonly retryAfter: string | undefined;
}

const plain = (text: string): Given => ({ text, status: 200, retryAfter: undefined });

/** One for all of them: to connect takes longer than to look. */
export const sharedCluster = hostileCluster();

export type Look = (target: Target, clock: Clock) => Promise<Told>;

/** The cluster answers so to what matches the path, and well to everything else. */
async function lookedAt(
  path: RegExp,
  { text, status, retryAfter }: Given,
  look: Look,
): Promise<Told> {
  const { target, clock, become } = await sharedCluster;
  become((request) =>
    path.test(request.path) ? { text, status, retryAfter } : goodAnswers(request),
  );
  return await look(target, clock);
}

const partsOf = (target: Target, clock: Clock) => ({
  ...{ target, clock, signal: new AbortController().signal, concurrency: 1, refresh: false },
});

const status: Look = async (target, clock) => {
  const found = await statusOf(PLAN, target, clock);
  return { text: [renderStatus(found)], json: [renderJson(found)], values: [found] };
};
const validation: Look = async (target, clock) => {
  const found = await validate(PLAN, partsOf(target, clock));
  return { text: [renderValidation(found)], json: [renderJson(found)], values: [found] };
};
const explanation: Look = async (target, clock) => {
  const chain = await explainNode(PLAN, { kind: 'app', name: 'api' }, partsOf(target, clock));
  return { text: [renderExplanation(chain)], json: [renderJson(chain)], values: [chain] };
};
const dry: Look = async (target, clock) => {
  const found = await dryRun(PLAN, PLAN, partsOf(target, clock));
  return { text: [renderDryRun(found)], json: [renderJson(found)], values: [found] };
};
const runs: Look = async ({ store }) => {
  const all = await listRuns(store, 'shop');
  const history = await readRun(store, 'shop', 'r1');
  return {
    text: [
      renderRuns(all),
      renderHistory(history?.events ?? []),
      ...(history?.problem === undefined ? [] : [renderWarning(history.problem)]),
    ],
    json: [renderJson(all)],
    values: [all, history],
  };
};
const objects: Look = async ({ applications }) => {
  const [live, managed, culprit, windows] = [
    await applications.liveResources(ADDRESS),
    await applications.managedObjects(ADDRESS),
    await applications.culprit(ADDRESS),
    await applications.syncWindows(ADDRESS),
  ];
  const predicted = await applications.predictedObjects(ADDRESS);
  const values = [live, managed, culprit, windows, predicted];
  const changed = predicted.map((one) => ({ ...one, change: 'changed' as const, reason: null }));
  return { ...shownDiff(changed), values };
};
const differences: Look = async (target, clock) => {
  const found = await diffPlatform(PLAN, partsOf(target, clock));
  return { ...toldDiff(found), values: [found] };
};
const toldDiff = (found: Diff) => ({
  text: [renderDiff(found, { full: true })],
  json: [renderDiffJson(found)],
});
/** As if Argo CD called all of them different. */
const shownDiff = (found: readonly ObjectDiff[]) =>
  toldDiff({
    ...{ apiVersion: API_VERSION, kind: 'Diff', platform: 'shop', plan: '', scope: [] },
    ...{ exitStatus: 2, refreshed: false },
    nodes: [
      {
        ...{ id: 'app:api', stack: 'all', state: 'different', reason: null, age: 1 },
        ...{ revisions: { from: [], to: [] }, objects: found },
      },
    ],
  });
const project: Look = async ({ projects }) => {
  const found = await projects.get('default');
  if (!found) return {};
  const change = changeTo(found, ['api'], { platform: 'shop', run: 'r1' });
  const result = await projects.update(found, change);
  return { values: [found, change, windowsOwner(found), result] };
};

const together =
  (...looks: readonly Look[]): Look =>
  async (target, clock) => {
    const all = [];
    for (const look of looks) all.push(await look(target, clock));
    return {
      text: all.flatMap(({ text = [] }) => text),
      json: all.flatMap(({ json = [] }) => json),
      values: all.flatMap(({ values = [] }) => values),
    };
  };

export const inList = (samples: readonly unknown[]) => samples.map((sample) => listOf(sample));

export const answered = (
  name: string,
  share: number,
  samples: readonly unknown[],
  path: RegExp,
  look: Look,
) => fuzzTarget(name, share, changedJson(samples), (text) => lookedAt(path, plain(text), look));

const refused: fc.Arbitrary<Given> = fc.record({
  text: fc.oneof(changedJson(REFUSALS), hostileText),
  status: fc.oneof(
    fc.constantFrom(200, 204, 301, 400, 401, 403, 404, 409, 410, 429, 500, 503),
    fc.nat(999),
  ),
  retryAfter: fc.oneof(fc.constant(undefined), hostileText, fc.integer().map(String)),
});

const PAGE = { metadata: { resourceVersion: '9', continue: 'c' }, items: APPLICATIONS.slice(0, 1) };

export const CLUSTER: readonly FuzzTarget[] = [
  answered(
    'an Application',
    8,
    APPLICATIONS,
    /\/proxy\/api\/v1\/applications\/api\?/,
    together(validation, explanation),
  ),
  answered(
    'Applications',
    8,
    inList(APPLICATIONS),
    /\/namespaces\/argocd\/applications\?/,
    together(status, dry, differences),
  ),
  answered(
    'managed resources',
    5,
    MANAGED,
    /\/managed-resources\?/,
    together(objects, explanation),
  ),
  answered('a resource tree', 4, [TREE], /\/resource-tree\?/, together(objects, explanation)),
  answered('sync windows', 6, [WINDOWS], /\/syncwindows\?/, objects),
  answered('AppProjects', 6, [PROJECT], /\/projects\//, together(project, status)),
  answered('Leases', 6, [LEASE], /\/leases\//, status),
  answered('ConfigMaps of records', 5, inList([RECORD]), /\/configmaps\?/, together(runs, status)),
  fuzzTarget('events of records', 8, fc.array(changedJson(EVENTS), { maxLength: 4 }), (lines) =>
    lookedAt(/\/configmaps\?/, plain(jsonOf(listOf(recordOf(lines)))), together(runs, status)),
  ),
  answered('versions', 2, [{ Version: 'v3.2.0' }], /\/api\/version$/, status),
  answered('pages of lists', 4, [PAGE], /\/namespaces\/argocd\/applications\?/, status),
  fuzzTarget('refusals', 20, refused, (given) =>
    lookedAt(/\/(?:api|apis)\//, given, together(validation)),
  ),
  fuzzTarget('refusals of Kubernetes', 12, refused, (given) =>
    lookedAt(/\/(?:leases|configmaps|applications\?limit)/, given, status),
  ),
];
