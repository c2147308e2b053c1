// Which suites may run beside others. Most wait most of the time, and have names of their own; some change what all share.

export type Lane = 'shared' | 'alone';

/** They read every Application there is, change Argo CD's settings or what Kubernetes admits, record what it shows at one moment, kill its parts, share its token's Secret or an image, take the node or DNS away, or need the whole machine. */
const ALONE = [
  ...[
    'accounts',
    'argocd',
    'client-connect',
    'client-watch',
    'conformance',
    'deploy-bypass',
    'deploy-faults',
    'deploy-parents',
  ],
  ...[
    'deploy-refusals',
    'deploy-secrets',
    'executor-contract',
    'executor-image',
    'faults',
    'gate-recordings-operation',
    'preflight',
  ],
  ...['gate-recordings-state', 'guard', 'health', 'import-reference', 'import-waves', 'reference'],
  ...['workflow-conformance', 'workflow-faults', 'workflow-follow'],
  ...[
    'teardown-spoke',
    'workflow-parents',
    'workflow-reference',
    'workflow-rights',
    'workflow-templates',
  ],
];

/** What changes settings, or needs the whole machine, is not in every run of them. */
const ALONE_IN_FULL = ['deploy', 'workflow-engine'];

/** Two beside each other: as many as a small machine bears without losing time. */
const BESIDE = 2;

/** For Vitest. Without a lane everything runs, one after the other. */
export function laneOptions(lane: string | undefined, full: boolean) {
  const names = full ? [...ALONE, ...ALONE_IN_FULL] : ALONE;
  const alone = names.map((name) => `**/${name}.test.ts`);
  if (lane === 'shared') return { exclude: alone, fileParallelism: true, maxWorkers: BESIDE };
  return { ...(lane === 'alone' ? { include: alone } : {}), fileParallelism: false };
}
