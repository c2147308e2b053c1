// What the client makes of it: leases, stored text, watches, the way through the service proxy.
import { expect } from 'vitest';
import type { Manifest } from '../argocd-world.ts';
import type { Case } from '../case.ts';
import type { Lab } from '../lab.ts';
import { configMap } from '../manifests.ts';
import { pathOf } from '../paths.ts';

/** The path of argocd-server through Kubernetes. */
async function proxyOf(lab: Lab): Promise<string> {
  const services = pathOf({
    apiVersion: 'v1',
    kind: 'Service',
    namespace: lab.world.argocdNamespace,
  });
  const selector = encodeURIComponent('app.kubernetes.io/name=argocd-server');
  const { body } = await lab.kube('GET', `${services}?labelSelector=${selector}`);
  const [{ metadata, spec }] = body.items;
  const port = spec.ports.find((one: { name?: string }) => one.name === 'http') ?? spec.ports[0];
  return `${services}/http:${metadata.name}:${port.port}/proxy`;
}

async function throughProxy(lab: Lab, path: string, token: string) {
  const { status, text } = await lab.world.kubernetes.send({
    method: 'GET',
    path: `${await proxyOf(lab)}${path}`,
    headers: { cookie: `argocd.token=${token}` },
    deadline: 20_000,
  });
  return { status, body: JSON.parse(text) };
}

export const client: readonly Case[] = [
  {
    title: 'argocd-server answers through the service proxy, with its token in a cookie',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a')]);
      const path = `/api/v1/applications/${name}?project=${lab.project}`;
      const { status, body } = await throughProxy(lab, path, lab.world.tokens.tiphys);
      expect([status, body.metadata.name]).toEqual([200, name]);
      const none = await throughProxy(lab, path, 'none');
      expect([none.status, none.body.code]).toEqual([401, 16]);
    },
  },
  {
    title: 'a Lease is created once and renewed only by who read the newest',
    check: async (lab) => {
      const { leases } = lab.target;
      const name = lab.name('lease');
      const lease = {
        name,
        holder: 'one',
        durationSeconds: 15,
        renewTime: '2026-01-02T03:04:05.678Z',
        transitions: 0,
        annotations: new Map([['tiphys.dev/run', 'r1']]),
      };
      const place = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' };
      const object: Manifest = { ...place, metadata: lab.inArgocd(name) };
      try {
        expect(await leases.get(name)).toBeUndefined();
        expect(await leases.create(lease)).toEqual({ kind: 'done' });
        expect(await leases.create(lease)).toMatchObject({ kind: 'refused', reason: 'conflict' });
        const first = await leases.get(name);
        expect(first).toMatchObject({ holder: 'one', renewTime: '2026-01-02T03:04:05.678000Z' });
        if (!first) throw new Error('no lease');
        expect(await leases.update({ ...first, holder: 'two' })).toEqual({ kind: 'done' });
        const late = await leases.update({ ...first, holder: 'three' });
        expect(late).toMatchObject({ kind: 'refused', reason: 'conflict' });
        expect(await leases.get(name)).toMatchObject({ holder: 'two', transitions: 0 });
      } finally {
        await lab.remove(object);
      }
    },
  },
  {
    title: 'stored text comes back byte for byte, by its labels',
    check: async (lab) => {
      const { store } = lab.target;
      const labels = new Map([['tiphys.dev/platform', lab.world.id]]);
      const name = lab.name('text');
      const text = (bytes: readonly number[]) => ({
        name,
        labels,
        annotations: new Map([['a', 'b']]),
        data: new Map([['events', Uint8Array.from(bytes)]]),
      });
      const always = () => true;
      const bytes = async () => {
        const found = await store.list(labels);
        return found.map(({ data }) => [...(data.get('events') ?? [])]);
      };
      expect(await bytes()).toEqual([]);
      expect(await store.put(text([0, 255, 1]), always)).toEqual({ kind: 'done' });
      expect(await bytes()).toEqual([[0, 255, 1]]);
      expect(await store.put(text([7]), always)).toEqual({ kind: 'done' });
      expect(await bytes()).toEqual([[7]]);
      expect(await store.remove(name)).toEqual({ kind: 'done' });
      expect(await store.remove(name)).toMatchObject({ kind: 'refused', reason: 'not-found' });
      expect(await bytes()).toEqual([]);
    },
  },
  {
    title: 'stored text that is sealed never changes, and can be removed',
    check: async (lab) => {
      const { store } = lab.target;
      const text = (byte: number, isSealed: boolean) => ({
        ...{ name: lab.name('text'), labels: new Map(), annotations: new Map(), isSealed },
        data: new Map([['events', Uint8Array.of(byte)]]),
      });
      const put = async (byte: number, isSealed: boolean) => {
        const result = await store.put(text(byte, isSealed), () => true);
        return result.kind === 'refused' ? result.reason : result.kind;
      };
      try {
        expect([await put(1, false), await put(2, true)]).toEqual(['done', 'done']);
        expect([await put(3, true), await put(2, false)]).toEqual(['invalid', 'invalid']);
        // A reply that was lost is asked for again.
        expect(await put(2, true)).toBe('done');
      } finally {
        expect(await store.remove(lab.name('text'))).toEqual({ kind: 'done' });
      }
    },
  },
  {
    title: 'the client’s watch sees an Application from its making to its end',
    check: async (lab) => {
      const stop = new AbortController();
      const watch = await lab.target.watches.applications([lab.world.argocdNamespace], stop.signal);
      try {
        const phases: string[] = [];
        watch.subscribe(({ name, application }) => {
          const phase = application ? (application.operationState?.phase ?? 'none') : 'deleted';
          if (name === lab.name('a') && phases.at(-1) !== phase) phases.push(phase);
        });
        const name = await lab.app('a', [configMap('a')]);
        const address = { name, namespace: lab.world.argocdNamespace, project: lab.project };
        await lab.until('the watch to see it', async () => watch.last(address));
        await lab.deployed(name);
        await lab.about('DELETE', name, '', { cascade: 'false' });
        await lab.until('its end', async () => watch.last(address) === undefined);
        expect(phases).toEqual(['none', 'Running', 'Succeeded', 'deleted']);
      } finally {
        stop.abort();
      }
    },
  },
  {
    title: 'the client finds its own operation by what it was given',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a')]);
      const address = { name, namespace: lab.world.argocdNamespace, project: lab.project };
      const infos = new Map([
        ['tiphys/op', 'run/node/1'],
        ['tiphys/plan', 'sha256:1'],
      ]);
      const { applications } = lab.target;
      const request = { infos, prune: false, syncOptions: [] };
      expect(await applications.requestSync(address, request)).toEqual({ kind: 'done' });
      await lab.ended(name);
      await lab.nextSecond();
      await lab.refresh(name);
      const view = await applications.get(address);
      expect(view).toMatchObject({ operation: undefined, refreshPending: false });
      expect(view?.operationState).toMatchObject({
        phase: 'Succeeded',
        username: 'tiphys',
        automated: false,
        infos,
        revisions: view?.sync.revisions,
      });
      expect(view?.compared).toBe(view?.wanted);
      expect(await applications.liveResources(address)).toMatchObject([
        { kind: 'ConfigMap', name: 'a', present: true },
      ]);
      expect(await applications.culprit(address)).toBeUndefined();
    },
  },
  {
    title: 'the client blames the pod of what is Degraded',
    check: async (lab) => {
      const name = await lab.app('a', [lab.world.deployment('d', 'fails')]);
      await lab.synced(name);
      await lab.untilState(name, 'Synced', 'Degraded');
      const address = { name, namespace: lab.world.argocdNamespace, project: lab.project };
      const culprit = await lab.until('the pod to be to blame', async () => {
        const found = await lab.target.applications.culprit(address);
        return found?.resource.includes('Pod') && /^Degraded: ./.test(found.message) && found;
      });
      expect(culprit.resource).toContain('d-');
    },
  },
];
