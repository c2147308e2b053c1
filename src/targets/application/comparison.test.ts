import { expect, test } from 'vitest';
import { applicationView } from './view.ts';

const DESTINATION = { server: 'https://kubernetes.default.svc', namespace: 'shop' };
const SOURCE = { repoURL: 'https://git/shop', path: 'shop', targetRevision: 'main' };

function compare(spec: object, comparedTo: object | undefined): boolean {
  const { wanted, compared } = applicationView({
    metadata: { name: 'shop', namespace: 'argocd', uid: 'u', resourceVersion: '1' },
    spec: { project: 'default', destination: DESTINATION, ...spec },
    status: {
      sync: {
        status: 'Synced',
        comparedTo: comparedTo && { destination: DESTINATION, ...comparedTo },
      },
    },
  });
  return wanted === compared;
}

test.each([
  ['the same source', { source: SOURCE }, { source: SOURCE }],
  [
    'empty things that Go leaves out',
    { source: { ...SOURCE, directory: { recurse: false, exclude: '' }, helm: {} } },
    { source: SOURCE },
  ],
  [
    'structures that Go adds',
    { source: { ...SOURCE, directory: { recurse: true } } },
    { source: { ...SOURCE, directory: { recurse: true, jsonnet: {} } } },
  ],
  ['an empty list of differences', { source: SOURCE, ignoreDifferences: [] }, { source: SOURCE }],
  [
    'another order of keys',
    { source: SOURCE },
    { source: { targetRevision: 'main', path: 'shop', repoURL: 'https://git/shop' } },
  ],
  [
    'several sources, beside an empty single one',
    { sources: [SOURCE, { repoURL: 'https://charts', chart: 'db', targetRevision: '1.2.3' }] },
    {
      source: { repoURL: '' },
      sources: [SOURCE, { repoURL: 'https://charts', chart: 'db', targetRevision: '1.2.3' }],
    },
  ],
  [
    'a hydrated source',
    {
      sourceHydrator: {
        drySource: { repoURL: 'https://git/shop', path: 'dry', targetRevision: 'main' },
        syncSource: { targetBranch: 'env/prod', path: 'shop' },
      },
    },
    { source: { repoURL: 'https://git/shop', path: 'shop', targetRevision: 'env/prod' } },
  ],
  [
    'a source that is hydrated into another repository',
    {
      sourceHydrator: {
        drySource: { repoURL: 'https://git/shop', path: 'dry', targetRevision: 'main' },
        syncSource: { repoURL: 'https://git/rendered', targetBranch: 'env/prod', path: 'shop' },
      },
    },
    { source: { repoURL: 'https://git/rendered', path: 'shop', targetRevision: 'env/prod' } },
  ],
])('equal: %s', (_, spec, comparedTo) => expect(compare(spec, comparedTo)).toBe(true));

test.each([
  ['never compared', { source: SOURCE }, undefined],
  ['another revision', { source: SOURCE }, { source: { ...SOURCE, targetRevision: 'v1' } }],
  ['another path', { source: SOURCE }, { source: { ...SOURCE, path: 'else' } }],
  [
    'another namespace',
    { source: SOURCE, destination: { ...DESTINATION, namespace: 'else' } },
    { source: SOURCE },
  ],
  [
    'a difference that is ignored now',
    { source: SOURCE, ignoreDifferences: [{ kind: 'Secret', jsonPointers: ['/data'] }] },
    { source: SOURCE },
  ],
  [
    'sources in another order',
    { sources: [SOURCE, { repoURL: 'b' }] },
    { sources: [{ repoURL: 'b' }, SOURCE] },
  ],
  [
    'a Helm value that is false',
    { source: { ...SOURCE, helm: { valuesObject: { enabled: false } } } },
    { source: { ...SOURCE, helm: { valuesObject: {} } } },
  ],
  [
    'a label without a value',
    { source: { ...SOURCE, kustomize: { commonLabels: { a: '' } } } },
    { source: SOURCE },
  ],
  [
    'an empty parameter less',
    { source: { ...SOURCE, helm: { parameters: [{ name: '' }] } } },
    { source: SOURCE },
  ],
])('different: %s', (_, spec, comparedTo) => expect(compare(spec, comparedTo)).toBe(false));
