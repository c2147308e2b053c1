// What people read of phase 0.
import { expect, test } from 'vitest';
import { look, missing, node } from '../../test/fakes/preflight-world.ts';
import { TiphysError } from '../errors.ts';
import { renderChanges, renderPreflight } from './preflight-text.ts';

test('every row, then what is to be done, then what the cluster has', async () => {
  const report = await look({
    programs: { jq: missing },
    cluster: { nodes: async () => [node('a', { controlPlane: true })] },
  });
  const text = renderPreflight(report);
  const lines = text.split('\n').filter((line) => !line.includes(' right:'));
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "SECTION                  RESULT   CHECK                                                                 FOUND
    Tools                    pass     tool:ansible-playbook                                                 2.19.14
                             pass     tool:kubectl                                                          1.36.4
                             pass     tool:helm                                                             3.22.0
                             pass     tool:kubeseal                                                         0.40.0
                             failure  tool:jq                                                               not on PATH
                             pass     tool:yq                                                               4.54.1
    Python packages          pass     python:kubernetes                                                     37.0.2
                             pass     python:openshift                                                      0.13.2
                             pass     python:pyyaml                                                         6.0.3
                             pass     python:jsonpatch                                                      1.33
    Ansible collections      pass     collection:kubernetes.core                                            6.2.0
                             pass     collection:community.general                                          11.4.2
                             pass     collection:ansible.posix                                              2.1.0
                             pass     collection:ansible.utils                                              6.0.0
    Cluster                  pass     cluster:api                                                           https://cluster.example.com:6443 answers: Kubernetes v1.36.4
                             pass     cluster:authentication                                                accepted
                             pass     cluster:admission-policies                                            served
                             pass     nodes:ready                                                           1 of 1 Ready
                             pass     nodes:schedulable                                                     1 of 1
                             warning  nodes:workers                                                         0
                             pass     nodes:capacity                                                        4 cores, 8 GiB, 110 pods
                             pass     dns                                                                   1 of 1 pods ready
                             pass     storage                                                               fast
                             pass     argocd:version                                                        absent
    Connectivity             pass     reach:git                                                             answers with 200
                             pass     reach:charts:argoproj.github.io                                       answers with 200
                             pass     reach:charts:bitnami-labs.github.io                                   answers with 200
                             pass     reach:images:images.example.com                                       answers with 200
    Credentials              pass     credential:kubeconfig                                                 for https://cluster.example.com:6443
                             pass     credential:git                                                        public: no credential needed
                             pass     credential:registry                                                   for images.example.com; not tested
                             pass     credential:dns                                                        present; not tested
                             pass     credential:argocd-token                                               none yet: bootstrap creates them
    What must not exist yet  pass     absent:argocd                                                         absent
                             pass     absent:argo-workflows                                                 absent
                             pass     absent:argo-events                                                    absent
                             pass     absent:sealed-secrets                                                 absent
                             pass     absent:sealing-keys                                                   absent
                             pass     absent:definitions                                                    absent
                             pass     absent:platform                                                       absent

    failure: tool:jq: jq 1.6 or newer
      found: not on PATH
      hint: Install it: sudo apt-get install -y jq

    warning: nodes:workers: at least 3 worker nodes
      found: 0
      hint: With fewer nodes, losing one may interrupt the platform. Add nodes.

    Inventory: Kubernetes v1.36.4, 1 node, 1 StorageClass, 2 namespaces, 1 CustomResourceDefinition
      a: kubelet v1.36.4, containerd://2.0, 4.0 cores, 8.0 GiB, 110 pods

    79 checks: 77 passed, 1 warning, 1 failed; exit status 3
    "
  `);
});

test('one cause is told once, however many rows it turned', async () => {
  const cluster = async () => {
    throw new TiphysError([
      { code: 'kubeconfig-invalid', message: 'The kubeconfig has no current context.' },
    ]);
  };
  const text = renderPreflight(await look({ world: { cluster } }));
  const told = text
    .split('\n')
    .filter((line) => /^(?:failure|warning): /.test(line))
    .map((line) => line.replace(/and \d{2} more/, 'and many more'));
  expect(told).toEqual([
    'failure: cluster:api, cluster:authentication, cluster:admission-policies, nodes:ready and many more',
    'warning: nodes:workers, nodes:capacity, storage, argocd:version and 4 more',
    'failure: credential:kubeconfig: a kubeconfig with a cluster and a user',
  ]);
  expect(text).toContain('Inventory: Kubernetes unknown, unknown nodes');
});

test('what changed', () => {
  expect(renderChanges('then', [])).toBe('No changes since then\n');
  expect(renderChanges('then', ['a', 'b'])).toBe('Changed since then:\n  a\n  b\n');
});
