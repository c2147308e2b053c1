// AppProjects in Kubernetes, as far as the hold relies on them.
import { expect } from 'vitest';
import { HOLD_ANNOTATION, holdWindow } from '../../../src/run/hold.ts';
import type { Case } from '../case.ts';
import type { Lab } from '../lab.ts';
import { configMap, DENY } from '../manifests.ts';
import { pathOf } from '../paths.ts';

const PLACE = { apiVersion: 'argoproj.io/v1alpha1', kind: 'AppProject' } as const;

const pathIn = (lab: Lab) =>
  pathOf({ ...PLACE, namespace: lab.world.argocdNamespace }, lab.project);

async function viewOf(lab: Lab) {
  const project = await lab.target.projects.get(lab.project);
  if (!project) throw new Error('no AppProject');
  return project;
}

export const projects: readonly Case[] = [
  {
    title: 'a patch of an AppProject changes what it names, and nothing else',
    check: async (lab) => {
      const path = pathIn(lab);
      const theirs = { ...DENY, applications: ['theirs'], schedule: '0 3 * * *' };
      await lab.windows([theirs]);
      await lab.kube('PATCH', path, { metadata: { annotations: { note: 'theirs' } } });
      const { body: before } = await lab.kube('GET', path);
      const project = await viewOf(lab);
      const windows = [...project.windows, holdWindow(['x'])];
      const held = new Map([[HOLD_ANNOTATION, 'shop/r1']]);
      const done = await lab.target.projects.update(project, { windows, annotations: held });
      expect(done).toEqual({ kind: 'done' });
      const { body: after } = await lab.kube('GET', path);
      const { given: _, ...ours } = holdWindow(['x']);
      expect(after.spec).toEqual({
        ...before.spec,
        syncWindows: [...before.spec.syncWindows, ours],
      });
      expect(after.metadata.annotations).toEqual({
        ...before.metadata.annotations,
        [HOLD_ANNOTATION]: 'shop/r1',
      });
      const annotations = new Map([[HOLD_ANNOTATION, undefined]]);
      const free = { windows: project.windows, annotations };
      expect(await lab.target.projects.update(await viewOf(lab), free)).toEqual({ kind: 'done' });
      const { body: last } = await lab.kube('GET', path);
      expect(last.spec).toEqual(before.spec);
      expect(last.metadata.annotations).toEqual(before.metadata.annotations);
    },
  },
  {
    title: 'a patch of an AppProject that was written since is a conflict, and changes nothing',
    check: async (lab) => {
      const path = pathIn(lab);
      const old = await viewOf(lab);
      await lab.windows([{ ...DENY, applications: ['theirs'] }]);
      const { body: now } = await lab.kube('GET', path);
      const change = { windows: [holdWindow(['x'])], annotations: new Map() };
      const late = await lab.target.projects.update(old, change);
      expect(late).toMatchObject({ kind: 'refused', reason: 'conflict' });
      expect((await lab.kube('GET', path)).body).toEqual(now);
      const patch = { metadata: { resourceVersion: old.resourceVersion }, spec: {} };
      const { status, body } = await lab.kube('PATCH', path, patch);
      expect([status, body.reason]).toEqual([409, 'Conflict']);
    },
  },
  {
    title: 'a patch of an AppProject that its kind does not allow is invalid',
    check: async (lab) => {
      const { status, body } = await lab.kube('PATCH', pathIn(lab), { spec: { syncWindows: 'x' } });
      expect([status, body.reason]).toEqual([422, 'Invalid']);
      const nowhere = await lab.kube('PATCH', `${pathIn(lab)}-nowhere`, { spec: {} });
      expect([nowhere.status, nowhere.body.reason]).toEqual([404, 'NotFound']);
      expect(await lab.target.projects.get(`${lab.project}-nowhere`)).toBeUndefined();
    },
  },
  {
    title: 'a hold that is patched is known to argocd-server within seconds',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a')]);
      const change = { windows: [holdWindow([name])], annotations: new Map() };
      expect(await lab.target.projects.update(await viewOf(lab), change)).toEqual({ kind: 'done' });
      const seen = await lab.until(
        'the hold to be known',
        async () => {
          const { body } = await lab.about('GET', name, '/syncwindows');
          return body.activeWindows && body;
        },
        5,
      );
      expect(seen.activeWindows).toMatchObject([{ kind: 'deny', manualSync: true }]);
      expect(seen.canSync).toBe(true);
    },
  },
];
