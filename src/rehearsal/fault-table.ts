// Every fault that can be rehearsed, as words: `app:vault degraded after 2m`. The classes are those of the fault catalogue:
// A for APIs, B for watches and caches, C for the process, D for Argo CD and the platform. docs/rehearsal.md shows this table;
// a test keeps them the same.
import type { Subject, Term } from './fault.ts';

/** A number is the default, in seconds where it is a time. */
type TermRule = number | 'needed' | 'open';

export interface FaultKind {
  readonly subject: Subject;
  readonly effect: string;
  /** In the catalogue; none if the catalogue has no such class. */
  readonly classes: readonly string[];
  readonly meaning: string;
  readonly terms: Readonly<Partial<Record<Term, TermRule>>>;
}

const SPAN = { at: 'open', for: 'open' } as const;
const MOMENT = { at: 'needed' } as const;

export const FAULTS: readonly FaultKind[] = [
  kind('api conflicts', ['A1'], 'some writes fail with a version conflict', {
    rate: 0.1,
    ...SPAN,
  }),
  kind('api busy', ['A2'], 'answers 429 with Retry-After', { ...MOMENT, for: 30 }),
  kind('api fails', ['A3'], 'answers 503', { ...MOMENT, for: 30 }),
  kind('api loses-answers', ['A4'], 'some requests succeed, but the response is lost', {
    rate: 0.05,
    ...SPAN,
  }),
  kind('api drops', ['A5'], 'some requests never arrive', { rate: 0.05, ...SPAN }),
  kind('api slow', ['A6'], 'responses take N times as long', { factor: 20, ...SPAN }),
  kind('api stale', ['B6'], 'reads return old data', { ...MOMENT, for: 60 }),
  kind('watch closes', ['B1'], 'every stream ends', MOMENT),
  kind('watch breaks', ['B1'], 'every stream breaks', MOMENT),
  kind('watch expires', ['B2'], 'every stream expires with 410', MOMENT),
  kind('watch silent', ['B3'], 'streams stay open without events', MOMENT),
  kind('watch loses', ['B4'], 'some events are lost', { rate: 0.05, ...SPAN }),
  kind('watch repeats', ['B5'], 'some events are repeated later', { rate: 0.2, ...SPAN }),
  kind('watch late', ['B7'], 'events arrive late by this time', { by: 5, ...SPAN }),
  kind('watch refused', ['B8'], 'new streams are refused', { ...MOMENT, for: 60 }),
  kind('token expires', ['A7'], 'the token is rejected until the Secret has a new one', {
    ...MOMENT,
    for: 60,
  }),
  kind(
    'token loses-rights',
    ['A8'],
    'the token loses all write permissions, also for AppProjects',
    MOMENT,
  ),
  kind('tiphys killed', ['C1', 'C2'], 'the process is killed; the command is rerun', MOMENT),
  kind('tiphys doubled', ['C4'], 'a second process runs the same command', MOMENT),
  kind('tiphys paused', ['C5'], 'the process freezes and its Lease expires', {
    ...MOMENT,
    for: 120,
  }),
  kind('tiphys clock-jumps', ['C6'], 'the system clock jumps forward or back', {
    ...MOMENT,
    by: 'needed',
  }),
  kind('tiphys stopped', ['C8'], 'the process gets SIGTERM; the command is rerun', MOMENT),
  kind('app recreated', ['A10'], 'the Application is deleted and recreated', MOMENT),
  kind('app deleted', ['A10'], 'the Application is deleted', MOMENT),
  kind('app healthy-too-early', ['D1'], 'is reported Healthy too early', { for: 60 }),
  kind('app flaps', ['D2'], 'alternates between Healthy and Degraded', { for: 120 }),
  kind('app degraded', ['D3'], 'becomes Degraded this long after its first sync', {
    after: 0,
    for: 'open',
  }),
  kind('app hangs', ['D4'], 'a hook of its sync never ends', { for: 'open' }),
  kind('app ends-slowly', ['D5'], 'its operation takes this long to terminate', { for: 30 }),
  kind('app synced-by-others', ['D8'], 'another client requests a sync', MOMENT),
  kind('app sync-fails', ['D16'], 'its sync fails N times', { factor: 1 }),
  kind('app changed', ['D10'], 'a new commit changes its manifests', MOMENT),
  kind('app denied', [], 'its approval is denied after this time', { after: 60 }),
  kind('app unanswered', [], 'its approval is never given', { for: 'open' }),
  kind('app probe-fails', [], 'its probe fails for this long', {
    for: 'open',
  }),
  kind('app slow', [], 'takes N times as long', { factor: 3 }),
  kind('app never-healthy', [], 'stays Progressing', {}),
  kind('argocd restart', ['D6'], 'Argo CD restarts', { ...MOMENT, for: 20 }),
  kind('argocd orphans', ['D6'], 'Argo CD restarts and leaves operations unfinished', MOMENT),
  kind('argocd overlooks', ['B7'], 'some sync requests are missed at first', {
    rate: 0.2,
    ...SPAN,
  }),
  kind('argocd misses-refreshes', ['B7'], 'some refresh requests are missed', {
    rate: 0.2,
    ...SPAN,
  }),
  kind('argocd server-down', ['A3'], 'argocd-server is down', { ...MOMENT, for: 30 }),
  kind('argocd refreshes-all', ['D15'], 'every Application is compared continuously', {
    ...MOMENT,
    for: 10,
  }),
  kind('argocd overloaded', [], 'comparisons start late by this time', { by: 60, ...SPAN }),
  kind('argocd stale', ['B6'], 'shows old resource states for this long after an operation', {
    by: 6,
    ...SPAN,
  }),
  kind('git unreachable', ['D7'], 'comparisons fail', { ...MOMENT, for: 120 }),
  kind('git resolves-slowly', ['A6'], 'sync requests are answered late by this time', {
    by: 20,
    ...SPAN,
  }),
  kind('git moves', ['D10'], 'a new commit changes nothing in this platform', MOMENT),
  kind('git busy', ['D10'], 'such commits are repeated', { every: 240, ...SPAN }),
  kind('project closed', ['D9'], 'another sync window denies syncs', { ...MOMENT, for: 600 }),
  kind('project update-fails', ['A3'], 'Kubernetes answers 500 to AppProject writes', {
    ...MOMENT,
    for: 60,
  }),
  kind('project update-slow', ['A6'], 'AppProject writes are answered late by this time', {
    by: 3,
    ...SPAN,
  }),
  kind('project hold-removed', [], 'the hold is removed manually', MOMENT),
];

/** In the order of the table. */
export const SUBJECTS: ReadonlySet<string> = new Set(FAULTS.map(({ subject }) => subject));

/** Classes that cannot be rehearsed, and why. */
export const NOT_REHEARSED: readonly (readonly [classes: string, why: string])[] = [
  ['A9, B9, C7', 'about size and memory, not about the course of a deployment'],
  ['C3, C9', 'the record decides nothing, so a damaged or old one changes no rehearsal'],
  ['D11 to D14', 'they concern teardowns'],
  ['D17', 'a platform is on one cluster'],
];

function kind(
  words: string,
  classes: readonly string[],
  meaning: string,
  terms: FaultKind['terms'],
): FaultKind {
  const [subject, effect] = words.split(' ') as [Subject, string];
  return { subject, effect, classes, meaning, terms };
}
