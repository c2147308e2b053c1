import { expect, test } from 'vitest';
import type { Where } from '../report/where.ts';
import { renderWhere, whereInShort } from './where-text.ts';

const where: Where = {
  context: 'kind-blue',
  server: 'https://10.0.0.1:6443',
  clusterName: 'blue',
  recordedName: 'blue',
  environment: 'staging',
  user: 'jane',
};

test('cluster, context, user, platform and environment, in two lines', () => {
  expect(renderWhere('shop', where)).toBe(`\
Cluster:   "blue" (https://10.0.0.1:6443), context "kind-blue", user "jane"
Platform:  shop, environment "staging"
`);
  expect(whereInShort(where)).toBe('cluster "blue" (https://10.0.0.1:6443), environment "staging"');
});

test('what the command line did not say is named with its source', () => {
  const defaults = [
    { option: '--context', value: 'kind-blue', source: { variable: 'TIPHYS_CONTEXT' } },
    { option: '--file', value: 'a\nb.yaml', source: { file: 'ci.yaml' } },
  ];
  expect(renderWhere('shop', { ...where, defaults }).split('\n')[2]).toBe(
    'Defaults:  --context "kind-blue" from TIPHYS_CONTEXT, --file "a\\nb.yaml" from config file "ci.yaml"',
  );
});

test('what is not known is not claimed', () => {
  const bare = { ...where, context: null, recordedName: null, environment: null, user: null };
  expect(renderWhere('shop', bare)).toBe(`\
Cluster:   https://10.0.0.1:6443 (not confirmed as "blue"), from inside the cluster
Platform:  shop, no environment file
`);
  expect(whereInShort({ ...bare, clusterName: null })).toBe('cluster https://10.0.0.1:6443');
  expect(renderWhere('shop', undefined)).toBe('');
});

test('another name than the recorded one is a warning', () => {
  expect(renderWhere('shop', { ...where, clusterName: 'green' })).toContain(
    'warning: the environment file names cluster "green", and this cluster is recorded as "blue"\n',
  );
});

test('names of a kubeconfig neither act on a terminal nor add a line', () => {
  const hostile = { ...where, context: 'x\u001b[2J\ny', environment: null };
  expect(renderWhere('shop', hostile).split('\n')).toHaveLength(3);
  expect(renderWhere('shop', hostile)).not.toContain('\u001b');
  for (const sign of ['\u001b', '\n'])
    expect(whereInShort({ ...where, server: `a${sign}b` })).not.toContain(sign);
});
