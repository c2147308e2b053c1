// Files that use all of the format, as plain data.

/** Says something at every place where the format let it at first, with names that locales sort in different ways. */
export const FULL = {
  apiVersion: 'tiphys.dev/v1alpha1',
  kind: 'Platform',
  metadata: { name: 'full' },
  spec: {
    argocd: { namespace: 'argocd', project: 'platform' },
    root: 'root',
    timeouts: { sync: '4m', health: '6m', run: '2h' },
    retries: { maxAttempts: 4, backoff: '7s' },
    gate: { dwell: '3s', degradedGrace: '50s' },
    concurrency: 7,
    classes: {
      slow: {
        timeouts: { sync: '20m', health: '30m' },
        retries: { maxAttempts: 1, backoff: '1s' },
      },
      lenient: { gate: { allowEmpty: true, ignoreOutOfSync: ['Job/z', 'Job/a', 'CronJob/m'] } },
    },
    stacks: [
      {
        name: 'zed',
        application: 'zed-stack',
        argocd: { namespace: 'other', project: 'zed' },
        retries: { maxAttempts: 9, backoff: '9s' },
        applications: [
          { name: 'tea', class: 'slow', expectedDuration: '5s' },
          { name: 'zoo', class: 'lenient', dependsOn: ['tea', 'app:ibis'], expectedDuration: '5s' },
          {
            name: 'aab',
            dependsOn: ['chi', 'tea', 'hi'],
            argocd: { namespace: 'far', project: 'x' },
          },
        ],
      },
      {
        name: 'aa',
        timeouts: { sync: '1m', health: '2m' },
        gate: { dwell: '1s', degradedGrace: '2s' },
        applications: [
          { name: 'chi', gate: { ignoreOutOfSync: ['Deployment/b', 'Deployment/a'], dwell: '9s' } },
          { name: 'hi', class: 'lenient' },
          { name: 'ibis', dependsOn: ['hi', 'chi'] },
        ],
      },
      { name: 't', dependsOn: ['stack:zed', 'ibis', 'stack:aa'], applications: [{ name: 'y' }] },
    ],
  },
};
/** The same with all that came later. */
export const FULL_NOW = {
  ...FULL,
  spec: {
    ...FULL.spec,
    stacks: [
      ...FULL.spec.stacks,
      {
        name: 'ab',
        parent: 'zed',
        application: 'ab-stack',
        timeouts: { sync: '3m' },
        applications: [{ name: 'kai', dependsOn: [{ name: 'stack:far', optional: true }, 'tea'] }],
      },
      {
        name: 'a0',
        parent: 'ab',
        environments: ['production', 'staging'],
        dependsOn: [{ name: 'chi', optional: true }],
        applications: [{ name: 'lau', environments: ['staging'] }, { name: 'mu' }],
      },
      { name: 'far', environments: ['staging'], applications: [{ name: 'nu' }] },
    ],
  },
};
export const ENVIRONMENT = {
  name: 'production',
  domain: 'example.org',
  gitRepository: 'https://git.example.org/platform.git',
  gitRevision: 'main',
  argocdNamespace: 'cd',
  timeouts: { sync: '8m', health: '9m' },
  retries: { maxAttempts: 2, backoff: '2s' },
};
