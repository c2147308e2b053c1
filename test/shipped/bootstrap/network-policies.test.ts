// Who may call the pods of what bootstrap installs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(join('bootstrap', path), 'utf8');

interface Task {
  readonly name: string;
  readonly when?: unknown;
  readonly [module: string]: unknown;
}

interface Ingress {
  readonly from?: readonly unknown[];
  readonly ports?: readonly { readonly port: number }[];
}

test('pods of a namespace that bootstrap makes are called by those alone who are named', () => {
  const { tiphys_releases: releases } = load(read('inventory/group_vars/all.yml')) as {
    tiphys_releases: Record<string, { ingress?: readonly Ingress[] }>;
  };
  const open = Object.entries(releases).map(([name, { ingress }]) => [
    name,
    ingress?.map(({ from, ports }) => (from ? 'own' : ports?.map(({ port }) => port))),
  ]);
  expect(Object.fromEntries(open)).toEqual({
    ...{ argocd: [], 'argo-workflows': ['own'], 'sealed-secrets': [[8080]] },
    'argo-events': ['own', [12_000, 12_001, 7777]],
  });
  const tasks = load(read('roles/helm_release/tasks/install.yml')) as Task[];
  const policy = tasks.find(({ name }) => name === 'Say who may call its pods');
  expect(policy?.['kubernetes.core.k8s']).toEqual({
    state: 'present',
    definition: {
      ...{ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy' },
      metadata: { name: 'tiphys-ingress', namespace: '{{ helm_release_pin.namespace }}' },
      spec: {
        // All pods.
        ...{ podSelector: {}, policyTypes: ['Ingress'] },
        ingress: '{{ helm_release_pin.ingress }}',
      },
    },
  });
  // Not in a namespace of others, and before anything runs there.
  expect(policy?.when).toMatch(/^helm_release_owner == 'tiphys-bootstrap' or \(/);
  const names = tasks.map(({ name }) => name);
  expect(names.indexOf('Say who may call its pods')).toBeLessThan(
    names.indexOf('Install the chart'),
  );
});

test('a rollback leaves who may call the pods of a namespace as it was', () => {
  const tasks = (file: string) => load(read(`roles/helm_release/tasks/${file}.yml`)) as Task[];
  const found = (file: string, name: string) => tasks(file).find((one) => one.name === name);
  const policy = {
    ...{ api_version: 'networking.k8s.io/v1', kind: 'NetworkPolicy', name: 'tiphys-ingress' },
    namespace: '{{ helm_release_pin.namespace }}',
  };
  expect(found('look', 'Look at who may call its pods')).toMatchObject({
    ...{ 'kubernetes.core.k8s_info': policy, register: 'helm_release_policy' },
  });
  expect(found('roll_back', 'Remove the NetworkPolicy that was not there before')).toMatchObject({
    'kubernetes.core.k8s': { ...policy, state: 'absent' },
    when: 'helm_release_namespace.resources | length > 0 and helm_release_policy.resources | length == 0',
  });
  expect(found('roll_back', 'Let those call its pods again who could')).toMatchObject({
    'kubernetes.core.k8s': {
      ...{ ...policy, state: 'patched' },
      definition: {
        spec: { ingress: '{{ helm_release_policy.resources[0].spec.ingress | default([]) }}' },
      },
    },
    when: 'helm_release_policy.resources | length > 0',
  });
});

test('Argo CD is installed with network policies', () => {
  const { argocd_values: values } = load(read('roles/argocd/vars/main.yml')) as {
    argocd_values: { global: { networkPolicy?: { create?: boolean } } };
  };
  expect(values.global.networkPolicy?.create).toBe(true);
});
