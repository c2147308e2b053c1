// Where health comes from, and what is said of a kind that has none.
import { describe, expect, test } from 'vitest';
import { FakeArgocd } from '../../test/fakes/argocd.ts';
import { lua, run } from '../../test/fakes/lua.ts';
import { VirtualClock } from '../../test/fakes/virtual-clock.ts';
import { parsePlatform } from '../model/platform.ts';
import { customKindOf } from '../ports/cluster-kinds.ts';
import { type CoverageInput, coverageOf } from './coverage.ts';
import { draftCheck } from './draft.ts';
import { type Check, createCheck } from './health-check.ts';
import { uncoveredWarning } from './kinds-in-use.ts';
import { kindsOfManifests } from './manifests.ts';
import { differencesOf, entriesOf, healthKey } from './render.ts';
import { healthSource } from './sources.ts';

const kindOf = (name: string) => {
  const [kind = '', group = ''] = name.split('/').reverse();
  return { group, kind };
};
const settings = (entries: Record<string, string> = {}) => new Map(Object.entries(entries));
const check = (name: string, script = 'return {}'): Check =>
  createCheck(kindOf(name), 'health.lua', script);

describe('Argo CD looks in this order', () => {
  test.each([
    ['apps/Deployment', 'built in'],
    ['Pod', 'built in'],
    ['ConfigMap', 'none'],
    ['argoproj.io/Application', 'none'],
    ['acid.zalan.do/postgresql', 'bundled'],
    ['s3.aws.upbound.io/Bucket', 'bundled'],
    ['example.org/Thing', 'none'],
  ])('%s: %s', (name, source) => expect(healthSource(kindOf(name), settings())).toBe(source));

  test('an entry of argocd-cm comes before all others', () => {
    const entry = { [healthKey(kindOf('apps/Deployment'))]: 'return {}' };
    expect(healthSource(kindOf('apps/Deployment'), settings(entry))).toBe('argocd-cm');
    expect(healthSource(kindOf('apps/StatefulSet'), settings(entry))).toBe('built in');
  });

  test('the older form counts too, with its wildcards; one that cannot be read does not', () => {
    const older = settings({
      'resource.customizations': '"*.example.org/*": {health.lua: "return {}"}\na/B: {actions: x}',
    });
    expect(healthSource(kindOf('x.example.org/Thing'), older)).toBe('argocd-cm');
    expect(healthSource(kindOf('a/B'), older)).toBe('none');
    const broken = settings({ 'resource.customizations': '{' });
    expect(healthSource(kindOf('x.example.org/Thing'), broken)).toBe('none');
  });
});

describe('coverage', () => {
  const input = (name: string, more: Partial<CoverageInput> = {}): CoverageInput => ({
    platform: 'p',
    uses: [{ ...kindOf(name), applications: ['a'] }],
    settings: settings(),
    custom: undefined,
    checks: [],
    accepted: [],
    ...more,
  });
  const state = (given: CoverageInput) => coverageOf(given).kinds[0]?.state;

  test('a kind that may have a status, and that nothing looks at, is uncovered', () => {
    expect(state(input('example.org/Thing'))).toBe('uncovered');
  });

  test.each(['none', 'other', 'phase', 'conditions'] as const)('status: %s', (status) => {
    const custom = [{ ...kindOf('example.org/Thing'), status }];
    const { kinds } = coverageOf(input('example.org/Thing', { custom }));
    expect(kinds[0]?.state).toBe(status === 'none' ? 'nothing-to-wait-for' : 'uncovered');
    expect(kinds[0]?.draft === null).toBe(status === 'none' || status === 'other');
  });

  test("Kubernetes' own kinds without a check have nothing to wait for", () => {
    expect(state(input('rbac.authorization.k8s.io/Role'))).toBe('nothing-to-wait-for');
    expect(state(input('Secret'))).toBe('nothing-to-wait-for');
  });

  test('what the platform file accepts is accepted, with its reason', () => {
    const accepted = [{ kind: 'example.org/Thing', reason: 'only a setting' }];
    const { kinds, uncovered } = coverageOf(input('example.org/Thing', { accepted }));
    expect(kinds[0]).toMatchObject({ state: 'accepted', reason: 'only a setting' });
    expect(uncovered).toBe(0);
  });

  test('a check of ours counts only once it is in argocd-cm, as it is', () => {
    const checks = [check('example.org/Thing')];
    const key = healthKey(kindOf('example.org/Thing'));
    const source = (text: string) =>
      coverageOf(input('example.org/Thing', { checks, settings: settings({ [key]: text }) }))
        .kinds[0]?.source;
    const missing = coverageOf(input('example.org/Thing', { checks })).kinds[0];
    expect(missing).toMatchObject({ state: 'uncovered', reason: 'its check is not in argocd-cm' });
    expect(missing?.suggestion).toContain('tiphys health render');
    expect(source('return {}\n')).toBe('ours');
    expect(source('return nil')).toBe('argocd-cm');
  });

  test.each(['conditions', 'phase'] as const)(
    'the draft for a status with %s runs',
    async (shape) => {
      const statusFor = async (status?: object) => {
        const object = { metadata: { generation: 2 }, ...(status ? { status } : {}) };
        const result = await run(draftCheck(shape) ?? '', object);
        return 'health' in result ? result.health.status : result.error;
      };
      const good = { phase: 'Ready', conditions: [{ type: 'Ready', status: 'True' }] };
      const bad = {
        phase: 'Failed',
        conditions: [{ type: 'Ready', status: 'False', reason: 'Failed' }],
      };
      const statuses = await Promise.all([undefined, {}, good, bad].map(statusFor));
      expect(statuses).toEqual(['Progressing', 'Progressing', 'Healthy', 'Degraded']);
      expect(await statusFor({ ...good, observedGeneration: 1 })).toBe('Progressing');
    },
  );
});

test('what a CustomResourceDefinition says of its status', () => {
  const definition = (version: object) => ({
    spec: { group: 'example.org', names: { kind: 'Thing' }, versions: [{ name: 'old' }, version] },
  });
  const shape = (version: object) => customKindOf(definition(version))?.status;
  const properties = (status: object) => ({
    schema: { openAPIV3Schema: { properties: { status } } },
  });
  expect(shape({})).toBe('none');
  expect(shape({ subresources: { status: {} } })).toBe('other');
  expect(shape(properties({ type: 'object' }))).toBe('other');
  expect(shape(properties({ properties: { phase: {} } }))).toBe('phase');
  expect(shape(properties({ properties: { phase: {}, conditions: {} } }))).toBe('conditions');
  expect([customKindOf(null), customKindOf({ spec: 5 })]).toEqual([undefined, undefined]);
});

test('manifests: lists are opened, files for other programs left out, templates named', () => {
  const manifest = (application: string, text: string) => ({
    application,
    file: `${application}.yaml`,
    text,
  });
  const { uses, unread } = kindsOfManifests([
    manifest('a', 'apiVersion: v1\nkind: List\nitems: [{apiVersion: apps/v1, kind: Deployment}]\n'),
    manifest(
      'b',
      '---\napiVersion: apps/v1\nkind: Deployment\n---\napiVersion: kustomize.config.k8s.io/v1\nkind: Kustomization\n',
    ),
    manifest('c', 'just: values\n'),
    manifest('d', '{{ .Values }}: {'),
  ]);
  expect(uses).toEqual([{ group: 'apps', kind: 'Deployment', applications: ['a', 'b'] }]);
  expect(unread).toEqual(['d.yaml']);
});

test('differences: the end of a text does not count, what is not ours stays', async () => {
  const checks = [check('a.org/A', 'x = 1\nreturn {}\n'), check('a.org/B'), check('a.org/C')];
  const entries = await entriesOf(checks, lua);
  const key = (name: string) => healthKey(kindOf(`a.org/${name}`));
  const found = settings({
    [key('A')]: 'x = 1  \nreturn {}',
    [key('B')]: 'return 5',
    [key('D')]: 'return {}',
    url: 'https://example.org',
  });
  expect(differencesOf(entries, found).map(({ state, line }) => [state, line])).toEqual([
    ['same', null],
    ['different', 1],
    ['missing', null],
    ['other', null],
  ]);
});

test('differences: a kind that the cluster does not have is not missing', async () => {
  const entries = await entriesOf([check('a.org/A'), check('a.org/B'), check('apps/C')], lua);
  const states = differencesOf(entries, settings({}), [kindOf('a.org/A')]);
  expect(states.map(({ key, state }) => [key.split('.health.')[1], state])).toEqual([
    ['a.org_A', 'missing'],
    ['a.org_B', 'unused'],
    ['apps_C', 'missing'],
  ]);
});

describe('before a deployment', () => {
  const text = `
apiVersion: tiphys.dev/v1alpha1
kind: Platform
metadata: {name: p}
spec:
  health: {accepted: [{kind: example.org/Accepted, reason: a setting}]}
  stacks: [{name: s, applications: [{name: a}]}]
`;
  const platform = parsePlatform({ file: 'p.yaml', text });
  const warning = async (kind: string, entries: Record<string, string> = {}) => {
    const argocd = new FakeArgocd(new VirtualClock());
    argocd.add('a', {});
    const { target } = argocd;
    const list: typeof target.applications.list = async (namespaces) => {
      const [view] = await target.applications.list(namespaces);
      if (!view) throw new Error('no view');
      const [resource] = view.resources;
      if (!resource) throw new Error('no resource');
      return [{ ...view, resources: [{ ...resource, ...kindOf(kind) }] }];
    };
    const kinds = { settings: async () => settings(entries), custom: async () => undefined };
    return uncoveredWarning(platform, {
      ...target,
      applications: { ...target.applications, list },
      kinds,
    });
  };

  test('an uncovered kind is named', async () => {
    expect(await warning('example.org/Thing')).toBe(
      'no health check covers example.org/Thing: gates may open too early; see `tiphys health coverage`',
    );
  });

  test.each(['apps/Deployment', 'example.org/Accepted', 'Secret', 'argoproj.io/Application'])(
    '%s is not',
    async (kind) => {
      expect(await warning(kind)).toBeUndefined();
    },
  );

  test('nor is one that argocd-cm has a check for', async () => {
    const entries = { [healthKey(kindOf('example.org/Thing'))]: 'return {}' };
    expect(await warning('example.org/Thing', entries)).toBeUndefined();
  });
});
