// The Kubernetes API, as far as Tiphys relies on it.
import { expect } from 'vitest';
import type { Manifest } from '../argocd-world.ts';
import type { Case } from '../case.ts';
import { watch } from '../history.ts';
import { APPLICATION, CONFIG_MAP, type Lab } from '../lab.ts';
import { configMap, FOREIGN, guarded } from '../manifests.ts';
import { pathOf } from '../paths.ts';

const maps = (lab: Lab) => ({ ...CONFIG_MAP, namespace: lab.namespace });
const labelled = (name: string, labels: Readonly<Record<string, string>>): Manifest => {
  const map = configMap(name);
  return { ...map, metadata: { ...map.metadata, labels } };
};
const nameOf = ({ metadata }: Manifest) => metadata.name;
const reasonOf = (body: { kind: string; status: string; reason: string; code: number }) => [
  body.kind,
  body.status,
  body.reason,
  body.code,
];
const failure = (reason: string, code: number) => ['Status', 'Failure', reason, code];

export const kubernetes: readonly Case[] = [
  {
    title: 'what is created has a uid, a version, a time and, in a custom resource, a generation',
    check: async (lab) => {
      const { status, body } = await lab.kube('POST', pathOf(maps(lab)), configMap('a'));
      expect(status).toBe(201);
      expect(body).toMatchObject({
        kind: 'ConfigMap',
        metadata: {
          name: 'a',
          namespace: lab.namespace,
          uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
          resourceVersion: expect.stringMatching(/^\d+$/),
          creationTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        },
      });
      await lab.world.commit('a', []);
      const place = { ...APPLICATION, namespace: lab.world.argocdNamespace };
      const made = await lab.kube('POST', pathOf(place), lab.manifestOf('a'));
      expect([made.status, made.body.metadata.generation]).toEqual([201, 1]);
    },
  },
  {
    title: 'what is not there is not found, what is there is not created again',
    check: async (lab) => {
      const path = pathOf(maps(lab));
      const missing = await lab.kube('GET', `${path}/a`);
      expect(missing.status).toBe(404);
      expect(reasonOf(missing.body)).toEqual(failure('NotFound', 404));
      for (const answer of [
        await lab.kube('PUT', `${path}/a`, configMap('a')),
        await lab.kube('DELETE', `${path}/a`),
      ]) {
        expect(reasonOf(answer.body)).toEqual(failure('NotFound', 404));
      }
      await lab.apply(configMap('a'));
      const twice = await lab.kube('POST', path, configMap('a'));
      expect(twice.status).toBe(409);
      expect(reasonOf(twice.body)).toEqual(failure('AlreadyExists', 409));
      const nowhere = { ...CONFIG_MAP, namespace: lab.name('nowhere') };
      const lost = await lab.kube('POST', pathOf(nowhere), configMap('a'));
      expect(reasonOf(lost.body)).toEqual(failure('NotFound', 404));
      expect((await lab.kube('GET', pathOf(nowhere))).body.items).toEqual([]);
    },
  },
  {
    title: 'an update with an old version is a conflict, one without a version is not',
    check: async (lab) => {
      const path = pathOf(maps(lab), 'a');
      await lab.apply(configMap('a'));
      const { body: first } = await lab.kube('GET', path);
      const second = await lab.kube('PUT', path, { ...first, data: { x: '1' } });
      expect(second.status).toBe(200);
      expect(second.body.metadata.uid).toBe(first.metadata.uid);
      expect(Number(second.body.metadata.resourceVersion)).toBeGreaterThan(
        Number(first.metadata.resourceVersion),
      );
      const late = await lab.kube('PUT', path, { ...first, data: { x: '2' } });
      expect(late.status).toBe(409);
      expect(reasonOf(late.body)).toEqual(failure('Conflict', 409));
      const blind = await lab.kube('PUT', path, configMap('a', { x: '3' }));
      expect([blind.status, blind.body.data]).toEqual([200, { x: '3' }]);
    },
  },
  {
    title: 'an update that changes nothing keeps the version',
    check: async (lab) => {
      const path = pathOf(maps(lab), 'a');
      await lab.apply(configMap('a', { x: '1' }));
      const { body } = await lab.kube('GET', path);
      const same = await lab.kube('PUT', path, body);
      expect(same.body.metadata.resourceVersion).toBe(body.metadata.resourceVersion);
    },
  },
  {
    title: 'a list comes in pages of one moment',
    check: async (lab) => {
      const names = ['a', 'b', 'c', 'd', 'e'];
      for (const name of names) await lab.apply(labelled(name, { case: 'pages' }));
      const path = `${pathOf(maps(lab))}?labelSelector=case%3Dpages&limit=2`;
      const first = (await lab.kube('GET', path)).body;
      expect(first.kind).toBe('ConfigMapList');
      await lab.apply(labelled('late', { case: 'pages' }));
      const seen = first.items.map(nameOf);
      const versions = [first.metadata.resourceVersion];
      for (let next = first.metadata.continue; next; ) {
        const page = (await lab.kube('GET', `${path}&continue=${encodeURIComponent(next)}`)).body;
        seen.push(...page.items.map(nameOf));
        versions.push(page.metadata.resourceVersion);
        next = page.metadata.continue;
      }
      expect(seen).toEqual(names);
      expect(versions).toEqual([versions[0], versions[0], versions[0]]);
    },
  },
  {
    title: 'labels select: equal, several, none',
    check: async (lab) => {
      await lab.apply(labelled('a', { x: '1', y: '1' }));
      await lab.apply(labelled('b', { x: '1', y: '2' }));
      await lab.apply(labelled('c', { x: '2' }));
      const listed = async (selector: string) => {
        const query = `?labelSelector=${encodeURIComponent(selector)}`;
        return (await lab.kube('GET', pathOf(maps(lab)) + query)).body.items.map(nameOf);
      };
      expect(await listed('x=1')).toEqual(['a', 'b']);
      expect(await listed('x=1,y=2')).toEqual(['b']);
      expect(await listed('x=3')).toEqual([]);
    },
  },
  {
    title: 'a watch tells what came after its version, in order, with the versions growing',
    check: async (lab) => {
      const place = maps(lab);
      const { body } = await lab.kube('GET', pathOf(place));
      const from = body.metadata.resourceVersion;
      await lab.apply(configMap('a'));
      await lab.apply(configMap('a', { x: '1' }));
      const ours = ({ metadata }: Manifest) => metadata.name === 'a';
      const history = await watch<Manifest>(lab, place, ours, from);
      await history.until('what was before', ({ type }) => type === 'MODIFIED');
      await lab.remove(configMap('a'));
      await history.until('what comes after', ({ type }) => type === 'DELETED');
      history.stop();
      expect(history.events.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
      const versions = history.events.map(({ object }) => Number(object.metadata.resourceVersion));
      expect(versions).toEqual([...versions].sort((a, b) => a - b));
      expect(new Set(versions).size).toBe(3);
      expect(versions[0]).toBeGreaterThan(Number(from));
    },
  },
  {
    title: 'a watch ends with its time, and a bookmark says where to go on',
    check: async (lab) => {
      const place = { ...APPLICATION, namespace: lab.world.argocdNamespace };
      const { body } = await lab.kube('GET', `${pathOf(place)}?limit=1`);
      const from = body.metadata.resourceVersion;
      const query = `watch=1&allowWatchBookmarks=true&timeoutSeconds=5&resourceVersion=${from}`;
      const { status, lines } = await lab.world.kubernetes.stream({
        method: 'GET',
        path: `${pathOf(place)}?${query}`,
        deadline: 20_000,
      });
      expect(status).toBe(200);
      const events = (await collected(lines)) as { type: string; object: Manifest }[];
      const mark = events.find(({ type }) => type === 'BOOKMARK')?.object;
      expect(mark?.kind).toBe('Application');
      expect(Number(mark?.metadata.resourceVersion)).toBeGreaterThanOrEqual(Number(from));
    },
  },
  {
    title: 'a watch from a version that is too old is told that it is gone',
    check: async (lab) => {
      const place = { ...APPLICATION, namespace: lab.world.argocdNamespace };
      const { status, lines } = await lab.world.kubernetes.stream({
        method: 'GET',
        path: `${pathOf(place)}?watch=1&resourceVersion=1&timeoutSeconds=5`,
        deadline: 20_000,
      });
      expect(status).toBe(200);
      const [event] = await collected(lines);
      expect(event).toMatchObject({
        type: 'ERROR',
        object: { kind: 'Status', status: 'Failure', reason: 'Expired', code: 410 },
      });
    },
  },
  {
    title: 'an object with a finalizer stays when it is deleted, until that is taken off',
    check: async (lab) => {
      const map = guarded(configMap('a'));
      await lab.apply(map);
      const { status, body } = await lab.remove(map);
      expect(status).toBe(200);
      expect(body.metadata).toMatchObject({
        deletionTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        finalizers: [FOREIGN],
      });
      const again = await lab.remove(map);
      expect(again.body.metadata.deletionTimestamp).toBe(body.metadata.deletionTimestamp);
      await lab.apply({ ...CONFIG_MAP, metadata: { name: 'a', finalizers: [] } });
      expect(await lab.read(map)).toBeUndefined();
    },
  },
  {
    title: 'a deletion without finalizers is done when it is answered',
    check: async (lab) => {
      await lab.apply(configMap('a'));
      const { uid } = (await lab.read(configMap('a'))).metadata;
      const { status, body } = await lab.remove(configMap('a'));
      expect([status, body.kind, body.status]).toEqual([200, 'Status', 'Success']);
      expect(body.details.uid).toBe(uid);
      expect(await lab.read(configMap('a'))).toBeUndefined();
    },
  },
  {
    title: 'the generation counts spec and, of an Application, status, but never annotations',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a')]);
      await lab.deployed(name);
      const generation = async () => (await lab.stored(name))?.metadata.generation ?? 0;
      const first = await generation();
      const metadata = { ...lab.inArgocd(name), annotations: { 'example.com/x': 'y' } };
      await lab.apply({ ...APPLICATION, metadata });
      expect(await generation()).toBe(first);
      const info = [{ name: 'x', value: 'y' }];
      await lab.apply({ ...APPLICATION, metadata: lab.inArgocd(name), spec: { info } });
      expect(await generation()).toBeGreaterThan(first);

      const workload = lab.world.deployment('d', 0);
      await lab.apply(workload);
      await lab.until('the Deployment to be observed', async () => {
        return (await lab.read(workload))?.status?.observedGeneration === 1;
      });
      await lab.apply(lab.world.deployment('d', 0, '2'));
      expect((await lab.read(workload)).metadata.generation).toBe(2);
    },
  },
  {
    title: 'a namespace goes with what is in it',
    check: async (lab) => {
      const name = lab.name('more');
      const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
      await lab.apply(namespace);
      const map = { ...CONFIG_MAP, metadata: { name: 'a', namespace: name } };
      await lab.apply(map);
      expect((await lab.read(namespace)).status.phase).toBe('Active');
      expect((await lab.remove(namespace)).status).toBe(200);
      await lab.untilGone(namespace);
      expect(await lab.read(map)).toBeUndefined();
    },
  },
];

async function collected(lines: AsyncIterable<string>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const line of lines) all.push(JSON.parse(line));
  return all;
}
