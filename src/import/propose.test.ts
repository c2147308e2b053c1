import { describe, expect, it } from 'vitest';
import { applicationMaterial, platformMaterial } from '../../test/fakes/import.ts';
import { definition, deployment, object } from '../../test/fakes/import-objects.ts';
import type { Decisions } from './decisions.ts';
import type { ApplicationMaterial, Material } from './material.ts';
import { propose } from './propose.ts';

const crd = definition('light.example', 'Lamp');
const lamp = object('light.example/v1', 'Lamp', 'desk');
const run = (applications: readonly ApplicationMaterial[], more: Partial<Material> = {}) =>
  propose(platformMaterial(applications, more), { platform: 'p' });
const written = (applications: readonly ApplicationMaterial[]) =>
  run(applications)
    .edges.filter(({ status }) => status === 'written')
    .map(({ dependent, dependency }) => `${dependent}>${dependency}`);

describe('several providers', () => {
  const user = applicationMaterial('user', [lamp]);
  const operator = (name: string) => applicationMaterial(name, [crd, deployment(name)]);

  it('lose against the one that is there for it alone', () => {
    const alone = applicationMaterial('lamps', [crd]);
    expect(written([user, operator('one'), alone])).toContain('user>lamps');
    expect(written([user, operator('one'), alone])).not.toContain('user>one');
  });

  it('are all asked about, with low confidence, where nothing tells them apart', () => {
    const { edges, notes } = run([user, operator('one'), operator('two')]);
    expect(
      edges.map(({ dependency, status, confidence }) => [dependency, status, confidence]),
    ).toEqual([
      ['one', 'suggested', 'low'],
      ['two', 'suggested', 'low'],
    ]);
    expect(notes.map(({ kind }) => kind)).toEqual(['several-providers']);
  });

  it('with a copy of a definition lose against the one that reconciles the kind', () => {
    const rules = [{ apiGroups: ['light.example'], resources: ['lamps/status'], verbs: ['*'] }];
    const role = object('rbac.authorization.k8s.io/v1', 'ClusterRole', 'r', { rules });
    const real = applicationMaterial('real', [crd, role, deployment('op')]);
    const copy = applicationMaterial('copy', [crd, deployment('other')]);
    expect(written([user, copy, real])).toEqual(['user>real']);
  });

  it('by a chart lose against what shows the definition', () => {
    const monitor = object('monitoring.coreos.com/v1', 'ServiceMonitor', 'm');
    const stack = applicationMaterial('stack', [], {
      content: 'unknown',
      charts: [{ name: 'kube-prometheus-stack' }],
    });
    const shows = applicationMaterial('shows', [
      definition('monitoring.coreos.com', 'ServiceMonitor'),
    ]);
    expect(written([applicationMaterial('web', [monitor]), stack, shows])).toEqual(['web>shows']);
    expect(written([applicationMaterial('web', [monitor]), stack])).toEqual(['web>stack']);
  });
});

describe('a live cluster', () => {
  it('lists definitions and objects by name alone', () => {
    const listed = (kind: string, group: string, name: string) => ({
      group,
      kind,
      namespace: '',
      name,
    });
    const base = applicationMaterial('base', [], {
      content: 'listed',
      resources: [
        listed('CustomResourceDefinition', 'apiextensions.k8s.io', 'lamps.light.example'),
      ],
    });
    const web = applicationMaterial('web', [], {
      content: 'listed',
      resources: [listed('Lamp', 'light.example', 'desk')],
    });
    expect(written([base, web])).toEqual(['web>base']);
  });

  it('knows who made a definition at run time', () => {
    const maker = object('operators.coreos.com/v1', 'Subscription', 'lamps');
    const definedKinds = [
      { group: 'light.example', kind: 'Lamp', madeBy: 'operators.coreos.com/Subscription/lamps' },
    ];
    const base = applicationMaterial('base', [maker]);
    const { edges } = run([base, applicationMaterial('web', [lamp])], { definedKinds });
    expect(edges[0]?.evidence[0]?.kind).toBe('crd-at-runtime');
  });

  it('with a health check of its own makes an unresolved reference count', () => {
    const route = object('light.example/v1', 'Lamp', 'desk', {
      spec: { shadeRef: { name: 'green' } },
    });
    const shade = object('light.example/v1', 'Shade', 'green');
    const place = { destination: { cluster: 'in-cluster', namespace: 'x' } };
    const both = [
      applicationMaterial('base', [shade, crd, definition('light.example', 'Shade')], place),
      applicationMaterial('web', [route], place),
    ];
    const strength = (customHealth: string[]) =>
      run(both, { customHealth }).edges[0]?.evidence.find(({ kind }) => kind === 'named-resource')
        ?.strength;
    expect(strength([])).toBe('eventual');
    expect(strength(['light.example/Lamp'])).toBe('soft');
  });
});

describe('sync waves', () => {
  const pair = (user: number, base: number) => [
    applicationMaterial('user', [lamp], { wave: user }),
    applicationMaterial('base', [crd], { wave: base }),
  ];

  it('agree, say nothing, or make a question of an edge', () => {
    const view = (user: number, base: number) => {
      const [edge] = run(pair(user, base)).edges;
      return [edge?.waves, edge?.status, edge?.confidence];
    };
    expect(view(2, 1)).toEqual(['with', 'written', 'high']);
    expect(view(1, 1)).toEqual(['same', 'written', 'high']);
    expect(view(1, 2)).toEqual(['against', 'suggested', 'medium']);
  });

  it('make no edge', () => {
    expect(
      run([applicationMaterial('a', [], { wave: 2 }), applicationMaterial('b', [], { wave: 1 })])
        .edges,
    ).toEqual([]);
  });
});

describe('what is said beside the edges', () => {
  const kinds = (applications: readonly ApplicationMaterial[]) =>
    run(applications).notes.map(({ kind }) => kind);

  it('names what is left out, made by a set, unknown, or Argo CD itself', () => {
    const argocd = { destination: { cluster: 'in-cluster', namespace: 'argocd' } };
    expect(kinds([applicationMaterial('far', [lamp], { isRemote: true })])).toEqual(['remote']);
    expect(kinds([applicationMaterial('a', [], { applicationSet: 's' })])).toEqual([
      'applicationset',
    ]);
    expect(kinds([applicationMaterial('a', [], { content: 'unknown' })])).toEqual([
      'content-unknown',
    ]);
    expect(
      kinds([applicationMaterial('a', [], { ...argocd, charts: [{ name: 'argo-cd' }] })]),
    ).toEqual(['self-managed-argocd']);
  });

  it('does not order what deploys to another cluster', () => {
    const far = applicationMaterial('far', [crd], { isRemote: true });
    const { edges, stacks, unresolved } = run([far, applicationMaterial('web', [lamp])]);
    expect([edges.length, unresolved.length]).toEqual([0, 1]);
    expect(stacks.flatMap(({ applications }) => applications.map(({ name }) => name))).toEqual([
      'web',
    ]);
  });

  it('warns where a child needs what its parent has', () => {
    const child = applicationMaterial('child', [lamp], { parent: 'top' });
    const { edges, notes } = run([applicationMaterial('top', [crd]), child]);
    expect(edges).toEqual([]);
    expect(notes.map(({ kind }) => kind)).toEqual(['parent-has-resources']);
  });
});

describe('operators', () => {
  const role = (resource: string, more: object = {}) =>
    object('rbac.authorization.k8s.io/v1', 'ClusterRole', 'r', {
      rules: [{ apiGroups: ['light.example'], resources: [resource], verbs: ['patch'] }],
      ...more,
    });
  const operator = (name: string, resource: string, more?: object) =>
    applicationMaterial(name, [role(resource, more), deployment(name)]);
  const user = applicationMaterial('user', [lamp]);
  const reported = (...applications: ApplicationMaterial[]) =>
    run([user, ...applications]).edges.map(({ dependency }) => dependency);

  it('of one group are told apart by the kinds whose status they write', () => {
    expect(reported(operator('one', 'lamps/status'), operator('two', 'shades/status'))).toEqual([
      'one',
    ]);
    expect(reported(operator('one', 'lamps/status'), operator('two', 'lamps/status'))).toEqual([]);
  });

  it('are none where a role only reads, or is for people', () => {
    const labels = { 'rbac.authorization.k8s.io/aggregate-to-admin': 'true' };
    expect(reported(operator('one', 'lamps'))).toEqual([]);
    expect(reported(operator('one', 'lamps/status', { metadata: { name: 'r', labels } }))).toEqual(
      [],
    );
  });
});

describe('a namespace of another application', () => {
  const near = { destination: { cluster: 'in-cluster', namespace: 'shared' } };
  const route = object('v1', 'ConfigMap', 'c', { metadata: { namespace: 'shared' } });
  const both = [applicationMaterial('web', [route]), applicationMaterial('base', [], near)];

  it('is needed where it is its own, and an accident where several live in it', () => {
    expect(written(both)).toEqual(['web>base']);
    const third = applicationMaterial('third', [], { ...near, createsNamespace: false });
    const { edges, notes } = run([...both, third]);
    expect(edges.map(({ status, dependent }) => [status, dependent])).toEqual([
      ['suggested', 'web'],
    ]);
    // What would create the namespace of its own does not create this one.
    expect(notes.map(({ kind }) => kind)).toEqual([]);
    const alone = { ...near, createsNamespace: false };
    const inside = applicationMaterial('web', [deployment('d')], alone);
    expect(
      run([inside, applicationMaterial('base', [], near)]).notes.map(({ kind }) => kind),
    ).toEqual(['namespace-by-accident']);
  });
});

describe('the Applications that a parent creates', () => {
  it('speak for themselves: what is written in them is no need of the parent', () => {
    const helm = { valuesObject: { ingressClassName: 'nginx' }, values: 'http://api.base.svc' };
    const child = object('argoproj.io/v1alpha1', 'Application', 'child', {
      spec: { source: { helm } },
    });
    const base = applicationMaterial('base', [
      object('networking.k8s.io/v1', 'IngressClass', 'nginx'),
      object('v1', 'Service', 'api'),
    ]);
    const { edges, unresolved } = run([applicationMaterial('top', [child]), base]);
    expect([edges, unresolved]).toEqual([[], []]);
  });
});

describe('names that belong together', () => {
  it('are a question alone, and an edge with another sign', () => {
    const alone = [applicationMaterial('web'), applicationMaterial('web-operator')];
    expect(run(alone).edges.map(({ status }) => status)).toEqual(['suggested']);
    expect(run([applicationMaterial('web'), applicationMaterial('other-operator')]).edges).toEqual(
      [],
    );
    const calls = deployment('d', { args: ['http://api.web-operator.svc'] });
    const both = [
      applicationMaterial('web', [calls]),
      applicationMaterial('web-operator', [object('v1', 'Service', 'api')]),
    ];
    expect(written(both)).toEqual(['web>web-operator']);
  });
});

describe('decisions', () => {
  const calls = deployment('d', { args: ['http://api.base.svc'] });
  const both = platformMaterial([
    applicationMaterial('web', [calls]),
    applicationMaterial('base', [object('v1', 'Service', 'api')]),
  ]);
  const pair = { dependent: 'web', dependency: 'base', evidence: 'dns' };
  const statusWith = (decisions: Decisions) =>
    propose(both, { platform: 'p', decisions }).edges.map(({ status, decision }) => [
      status,
      decision,
    ]);

  it('write what was accepted, and ask no more about what was rejected', () => {
    expect(statusWith({ accepted: [], rejected: [] })).toEqual([['suggested', undefined]]);
    expect(statusWith({ accepted: [pair], rejected: [] })).toEqual([['written', 'accepted']]);
    expect(statusWith({ accepted: [], rejected: [pair] })).toEqual([['reported', 'rejected']]);
  });
});
