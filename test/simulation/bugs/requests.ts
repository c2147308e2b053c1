// Bugs of operations, requests and waiting.
import { type Bug, bug } from './bug.ts';

const CONTEXT = 'src/node/node-context.ts';
const REQUEST = 'src/node/request-operation.ts';
const APPLICATIONS = 'src/targets/argocd/applications.ts';

export const OPERATIONS: readonly Bug[] = [
  bug(
    'no-read-back',
    'repeats a request whose answer was lost',
    REQUEST,
    `await sleep(context, LOST_REPLY_MS);
      // A lagging server would show the state before the request.
      if (isShown(await freshLook(context, deadline), id)) return { kind: 'accepted', before };`,
    '',
  ),
  bug(
    'forgets-its-own',
    'does not recognize its own operation after a restart',
    'src/session/identity.ts',
    'if (!id?.startsWith(prefix)) return undefined;',
    'if (!id?.startsWith(prefix) || prefix) return undefined;',
  ),
  bug(
    'ends-what-others-began',
    'terminates the operation of another client instead of waiting for its end',
    'src/node/sync-operation.ts',
    'await awaitNews(context, now, deadline);',
    'await context.session.target.applications.terminate(addressOf(context.node));',
  ),
  bug(
    'repeated-by-argocd',
    "leaves Argo CD's own retries on",
    APPLICATIONS,
    'retryStrategy: { limit: 0 }',
    'retryStrategy: { limit: 5 }',
  ),
  bug(
    'prunes',
    'lets a sync prune',
    APPLICATIONS,
    '        prune,\n',
    '        prune: prune || true,\n',
  ),
  bug(
    'forces',
    'lets a sync replace by force',
    APPLICATIONS,
    'retryStrategy: { limit: 0 },',
    'retryStrategy: { limit: 0 }, strategy: { apply: { force: true } },',
  ),
  bug(
    'token-in-the-body',
    'sends the token where others can read it',
    'src/targets/argocd/api.ts',
    'headers: route.authorize(token),',
    'headers: route.authorize(token), body: request.body && { ...(request.body as object), token },',
  ),
  bug(
    'record-with-holes',
    'leaves events out of the record',
    'src/session/record/recorder.ts',
    'const bytes = compress(events);',
    'const bytes = compress(events.slice(1));',
  ),
];

export const LIVENESS: readonly Bug[] = [
  bug(
    'no-back-off',
    'retries immediately when the cluster is in trouble',
    'src/targets/retry.ts',
    'const jitter = random() * Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** tries);',
    'const jitter = 0 * random() * tries;',
  ),
  bug(
    'never-times-out',
    'has no deadline',
    CONTEXT,
    'return session.clock.monotonic() + seconds * 1000;',
    'return session.clock.monotonic() + seconds * 1_000_000;',
  ),
  bug(
    'polls',
    'polls while nothing changes',
    CONTEXT,
    `while (!isNews(watch.last(address), seen) && !isOver(context, deadline)) {
    await oneChange(context, deadline);
  }`,
    'await oneChange(context, Math.min(deadline, clock.monotonic() + 200));',
  ),
  bug(
    'races-a-slow-server',
    'polls a server that lags behind as fast as it answers',
    CONTEXT,
    'const BEHIND_MS = 1_000;',
    'const BEHIND_MS = 0;',
  ),
  bug(
    'slow-to-begin',
    'waits before it begins',
    'src/engines/embedded/run-deploy.ts',
    'await frame.prepare(() => hold.prepare());',
    'await request.clock.sleep(20_000);\n  await frame.prepare(() => hold.prepare());',
  ),
];
