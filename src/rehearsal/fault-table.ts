// Every fault that can be rehearsed, as words: `app:vault degraded after 2m`. The classes are those of the catalogue of
// faults: A of the APIs, B of watches and caches, C of the process, D of Argo CD and the platform. docs/rehearsal.md shows
// this table; a test keeps the two alike.
import type { Subject, Term } from './fault.ts';

/** A number is the default, in seconds where it is a time. */
type TermRule = number | 'needed' | 'open';

export interface FaultKind {
  readonly subject: Subject;
  readonly effect: string;
  /** Of the catalogue; none where the catalogue has no such class. */
  readonly classes: readonly string[];
  readonly meaning: string;
  readonly terms: Readonly<Partial<Record<Term, TermRule>>>;
}

const SPAN = { at: 'open', for: 'open' } as const;
const MOMENT = { at: 'needed' } as const;

export const FAULTS: readonly FaultKind[] = [
  kind('api conflicts', ['A1'], 'a part of the writes meets a newer version', {
    rate: 0.1,
    ...SPAN,
  }),
  kind('api busy', ['A2'], 'answers 429 with Retry-After', { ...MOMENT, for: 30 }),
  kind('api fails', ['A3'], 'answers 503', { ...MOMENT, for: 30 }),
  kind('api loses-answers', ['A4'], 'a part of the requests is carried out, the answer lost', {
    rate: 0.05,
    ...SPAN,
  }),
  kind('api drops', ['A5'], 'a part of the requests never arrives', { rate: 0.05, ...SPAN }),
  kind('api slow', ['A6'], 'answers take so much longer', { factor: 20, ...SPAN }),
  kind('api stale', ['B6'], 'reads come from a server that lags behind', { ...MOMENT, for: 60 }),
  kind('watch closes', ['B1'], 'every stream ends', MOMENT),
  kind('watch breaks', ['B1'], 'every stream is cut off', MOMENT),
  kind('watch expires', ['B2'], 'what was seen last is forgotten: 410', MOMENT),
  kind('watch silent', ['B3'], 'streams stay open, and nothing comes', MOMENT),
  kind('watch loses', ['B4'], 'a part of the events never comes', { rate: 0.05, ...SPAN }),
  kind('watch repeats', ['B5'], 'a part of the events comes again later', { rate: 0.2, ...SPAN }),
  kind('watch late', ['B7'], 'events come so much later', { by: 5, ...SPAN }),
  kind('watch refused', ['B8'], 'no stream can be opened', { ...MOMENT, for: 60 }),
  kind('token expires', ['A7'], 'is not accepted until the Secret has a new one', {
    ...MOMENT,
    for: 60,
  }),
  kind('token loses-rights', ['A8'], 'may read, and nothing more; AppProjects, too', MOMENT),
  kind('tiphys killed', ['C1', 'C2'], 'ends without a word; the command is started again', MOMENT),
  kind('tiphys doubled', ['C4'], 'the same command is started a second time beside it', MOMENT),
  kind('tiphys paused', ['C5'], 'stands still, its lease running out', { ...MOMENT, for: 120 }),
  kind('tiphys clock-jumps', ['C6'], 'its calendar is set forward or back', {
    ...MOMENT,
    by: 'needed',
  }),
  kind('tiphys stopped', ['C8'], 'is asked to stop, as by SIGTERM; started again', MOMENT),
  kind('app recreated', ['A10'], 'the Application is deleted and made again', MOMENT),
  kind('app deleted', ['A10'], 'the Application is deleted', MOMENT),
  kind('app healthy-too-early', ['D1'], 'is called Healthy before it is', { for: 60 }),
  kind('app flaps', ['D2'], 'goes back and forth between Healthy and Degraded', { for: 120 }),
  kind('app degraded', ['D3'], 'is Degraded, so long after its first sync began', {
    after: 0,
    for: 'open',
  }),
  kind('app hangs', ['D4'], 'a hook of its sync never ends', { for: 'open' }),
  kind('app ends-slowly', ['D5'], 'its operation takes time to end when terminated', { for: 30 }),
  kind('app synced-by-others', ['D8'], 'somebody else requests a sync', MOMENT),
  kind('app sync-fails', ['D16'], 'its sync is refused, so many times', { factor: 1 }),
  kind('app changed', ['D10'], 'somebody pushes a commit that changes its manifests', MOMENT),
  kind('app denied', [], 'somebody denies its approval, so long after being asked', { after: 60 }),
  kind('app unanswered', [], 'nobody answers the question for its approval', { for: 'open' }),
  kind('app probe-fails', [], 'the probe of its gate fails, so long from its first try on', {
    for: 'open',
  }),
  kind('app slow', [], 'takes so many times as long', { factor: 3 }),
  kind('app never-healthy', [], 'stays Progressing', {}),
  kind('argocd restart', ['D6'], 'is away, and comes back', { ...MOMENT, for: 20 }),
  kind('argocd orphans', ['D6'], 'is away, and leaves operations half ended', MOMENT),
  kind('argocd overlooks', ['B7'], 'a part of the sync requests is overlooked at first', {
    rate: 0.2,
    ...SPAN,
  }),
  kind('argocd misses-refreshes', ['B7'], 'a part of the refresh requests is overlooked', {
    rate: 0.2,
    ...SPAN,
  }),
  kind('argocd server-down', ['A3'], 'argocd-server is away', { ...MOMENT, for: 30 }),
  kind('argocd refreshes-all', ['D15'], 'every Application is compared again and again', {
    ...MOMENT,
    for: 10,
  }),
  kind('argocd overloaded', [], 'comparisons begin so much later', { by: 60, ...SPAN }),
  kind('argocd stale', ['B6'], 'shows a resource as it was, so long after an operation', {
    by: 6,
    ...SPAN,
  }),
  kind('git unreachable', ['D7'], 'comparisons end in an error', { ...MOMENT, for: 120 }),
  kind('git resolves-slowly', ['A6'], 'a sync request is answered so much later', {
    by: 20,
    ...SPAN,
  }),
  kind('git moves', ['D10'], 'somebody pushes a commit that changes nothing here', MOMENT),
  kind('git busy', ['D10'], 'such commits come again and again', { every: 240, ...SPAN }),
  kind('project closed', ['D9'], "somebody's window denies syncs", { ...MOMENT, for: 600 }),
  kind('project update-fails', ['A3'], 'Kubernetes answers 500 to a change of an AppProject', {
    ...MOMENT,
    for: 60,
  }),
  kind('project update-slow', ['A6'], 'a change of an AppProject is answered so much later', {
    by: 3,
    ...SPAN,
  }),
  kind('project hold-removed', [], 'somebody takes the hold away by hand', MOMENT),
];

/** In the order of the table. */
export const SUBJECTS: ReadonlySet<string> = new Set(FAULTS.map(({ subject }) => subject));

/** Classes that no line can mean, and why. */
export const NOT_REHEARSED: readonly (readonly [classes: string, why: string])[] = [
  ['A9, B9, C7', 'a matter of size and memory, not of what happens in a deployment'],
  ['C3, C9', 'the record decides nothing, so a torn or older one changes no rehearsal'],
  ['D11 to D14', 'they belong to a teardown'],
  ['D17', 'one platform lives on one cluster'],
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
