// What argocd-server answers to a request, and what it refuses.
import { expect } from 'vitest';
import type { Case } from '../case.ts';
import { watchApp } from '../history.ts';
import type { Lab } from '../lab.ts';
import { CLOSED_ALLOW, configMap, DENY, FOREIGN, hook } from '../manifests.ts';

const WHOLE_SECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const INFOS = [{ name: 'tiphys/op', value: 'run/node/1' }];

/** An Application whose operation goes on until it is terminated. */
async function endless(lab: Lab): Promise<string> {
  const waiting = hook('PreSync', lab.world.job('waiting', 'never'));
  const name = await lab.app('a', [waiting, configMap('a')]);
  expect((await lab.sync(name)).status).toBe(200);
  await lab.running(name);
  return name;
}

export const requests: readonly Case[] = [
  {
    title: 'a sync request is answered with the Application, the operation in it, its state gone',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a')]);
      const revision = (await lab.refresh(name)).status?.sync?.revision;
      await lab.synced(name);
      const { status, body } = await lab.sync(name, { infos: INFOS, prune: true });
      expect(status).toBe(200);
      expect(body.operation).toMatchObject({
        sync: { revision, prune: true },
        info: INFOS,
        initiatedBy: { username: 'tiphys' },
      });
      expect(body.operation.initiatedBy.automated).toBeUndefined();
      expect(body.status.operationState).toBeUndefined();
    },
  },
  {
    title: 'an operation is requested, runs and ends, and its request goes with its final phase',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a')]);
      const revision = (await lab.refresh(name)).status?.sync?.revision;
      const history = await watchApp(lab, name);
      await lab.sync(name, { infos: INFOS });
      await lab.ended(name);
      const seen = ({ object }: (typeof history.events)[number]) =>
        [
          object.operation ? 'operation' : 'none',
          object.status?.operationState?.phase,
          object.status?.operationState?.finishedAt ? 'finished' : 'open',
        ].join(' ');
      await history.until('the end', (event) => seen(event) === 'none Succeeded finished');
      history.stop();
      const states = history.events.map(seen).filter((one, at, all) => one !== all[at - 1]);
      expect(states).toEqual([
        'operation  open',
        'operation Running open',
        'none Succeeded finished',
      ]);
      const last = history.events.at(-1)?.object.status?.operationState;
      expect(last).toMatchObject({
        operation: { info: INFOS, initiatedBy: { username: 'tiphys' }, sync: { revision } },
        syncResult: { revision },
      });
    },
  },
  {
    title: 'times are whole seconds, in their order',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a')]);
      const before = Math.floor(lab.world.clock.now() / 1000) * 1000;
      await lab.synced(name);
      const { metadata, status } = await lab.refresh(name);
      const { startedAt = '', finishedAt = '' } = status?.operationState ?? {};
      const times = [startedAt, finishedAt, status?.reconciledAt, metadata.creationTimestamp];
      for (const time of times) expect(time).toMatch(WHOLE_SECONDS);
      expect(Date.parse(startedAt)).toBeGreaterThanOrEqual(before);
      expect(Date.parse(finishedAt)).toBeGreaterThanOrEqual(Date.parse(startedAt));
      expect(status?.health?.lastTransitionTime).toMatch(WHOLE_SECONDS);
    },
  },
  {
    title: 'a second request is refused while an operation is under way',
    check: async (lab) => {
      const name = await endless(lab);
      const { status, body } = await lab.sync(name);
      expect([status, body.code]).toEqual([400, 9]);
      expect(body.message).toContain('another operation is already in progress');
      expect(body.error).toBe(body.message);
      await lab.terminated(name);
    },
  },
  {
    title: 'a second request is refused also before the first one is taken up',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a')]);
      const answers = await Promise.all([lab.sync(name), lab.sync(name)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
      await lab.ended(name);
    },
  },
  {
    title: 'to terminate what does not run is refused',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a')]);
      const { status, body } = await lab.terminate(name);
      expect([status, body.code]).toEqual([400, 3]);
      expect(body.message).toContain('No operation is in progress');
      await lab.synced(name);
      expect((await lab.terminate(name)).status).toBe(400);
    },
  },
  {
    title: 'an Application that is not there is not found where the project is named, else denied',
    check: async (lab) => {
      const named = await lab.about('GET', lab.name('nowhere'));
      expect([named.status, named.body.code]).toEqual([404, 5]);
      const bare = await lab.argo('GET', `/applications/${lab.name('nowhere')}`);
      expect([bare.status, bare.body.code]).toEqual([403, 7]);
      expect(bare.body.message).toBe('permission denied');
      for (const answer of [
        await lab.sync(lab.name('nowhere')),
        await lab.terminate(lab.name('nowhere')),
        await lab.about('DELETE', lab.name('nowhere')),
        await lab.about('GET', lab.name('nowhere'), '/syncwindows'),
        await lab.about('GET', lab.name('nowhere'), '/managed-resources'),
        await lab.about('GET', lab.name('nowhere'), '', { refresh: 'normal' }),
      ]) {
        expect([answer.status, answer.body.code]).toEqual([404, 5]);
      }
    },
  },
  {
    title: 'an Application of another project is not found',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a')]);
      const other = { project: 'default' };
      const read = await lab.about('GET', name, '', other);
      expect([read.status, read.body.code]).toEqual([404, 5]);
      const asked = await lab.sync(name, other);
      expect([asked.status, asked.body.code]).toEqual([404, 5]);
    },
  },
  {
    title: 'a token that is none is refused everywhere, but userinfo and version answer',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a')]);
      const path = `/applications/${name}?project=${lab.project}`;
      for (const answer of [
        await lab.argo('GET', path, undefined, 'none'),
        await lab.argo('POST', `/applications/${name}/sync`, { name }, 'none'),
        await lab.argo('GET', '/account/can-i/applications/sync/*/*', undefined, 'none'),
      ]) {
        expect([answer.status, answer.body.code]).toEqual([401, 16]);
      }
      const info = await lab.argo('GET', '/session/userinfo', undefined, 'none');
      expect(info.status).toBe(200);
      expect(info.body.loggedIn ?? false).toBe(false);
      const version = await lab.world.argocd('none').send({
        method: 'GET',
        path: '/api/version',
        deadline: 5_000,
      });
      expect(version.status).toBe(200);
      expect(JSON.parse(version.text).Version).toMatch(/^v\d+\.\d+\.\d+/);
    },
  },
  {
    title: 'who a token is, and what it may do',
    check: async (lab) => {
      const { tiphys, reader } = lab.world.tokens;
      const name = async (token: string) => {
        const { body } = await lab.argo('GET', '/session/userinfo', undefined, token);
        return [body.loggedIn, body.username];
      };
      expect([await name(tiphys), await name(reader)]).toEqual([
        [true, 'tiphys'],
        [true, 'reader'],
      ]);
      const object = `${lab.project}/${lab.name('a')}`;
      const can = async (right: string, token: string) =>
        (await lab.argo('GET', `/account/can-i/${right}`, undefined, token)).body.value;
      expect(await can(`applications/sync/${object}`, tiphys)).toBe('yes');
      expect(await can(`applications/get/${object}`, reader)).toBe('yes');
      expect(await can(`applications/sync/${object}`, reader)).toBe('no');
      expect(await can(`projects/update/${lab.project}`, reader)).toBe('no');
      expect(await can(`clusters/create/${lab.project}`, tiphys)).toBe('no');
    },
  },
  {
    title: 'without the right to it a sync, a termination and a deletion are denied',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a')]);
      const { reader } = lab.world.tokens;
      const path = `/applications/${name}`;
      const query = `?project=${lab.project}`;
      expect((await lab.argo('GET', path + query, undefined, reader)).status).toBe(200);
      for (const { status, body } of [
        await lab.argo('POST', `${path}/sync`, { name, project: lab.project }, reader),
        await lab.argo('DELETE', `${path}/operation${query}`, undefined, reader),
        await lab.argo('DELETE', path + query, undefined, reader),
      ]) {
        expect([status, body.code]).toEqual([403, 7]);
        expect(body.message).toContain('permission denied');
      }
      expect((await lab.get(name)).operation).toBeUndefined();
    },
  },
  {
    title: 'a sync is refused by a window that is closed to requests',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a')]);
      for (const window of [{ ...DENY, manualSync: false }, CLOSED_ALLOW]) {
        await lab.windows([{ ...window, applications: ['*'] }]);
        const { status, body } = await lab.until('the window to be known', async () => {
          const answer = await lab.sync(name);
          return answer.status !== 200 && answer;
        });
        expect([status, body.code]).toEqual([403, 7]);
        expect(body.message).toContain('blocked by sync window');
      }
    },
  },
  {
    title: 'a sync of an Application that is being deleted is refused',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a')], { finalizers: [FOREIGN] });
      await lab.refresh(name);
      expect((await lab.about('DELETE', name, '', { cascade: 'false' })).status).toBe(200);
      const { status, body } = await lab.until('argocd-server to know', async () => {
        const answer = await lab.sync(name);
        return answer.status !== 200 && answer;
      });
      expect([status, body.code]).toEqual([400, 9]);
      expect(body.message).toContain('application is deleting');
    },
  },
  {
    title: 'a sync is refused while Git does not answer, since no revision can be had',
    check: async (lab) => {
      const name = await lab.app('a', [configMap('a')]);
      const revision = (await lab.refresh(name)).status?.sync?.revision;
      await lab.world.gitReachable(false);
      const { status, body } = await lab.sync(name);
      await lab.world.gitReachable(true);
      expect([status, body.code]).toEqual([400, 9]);
      expect(body.message).toContain('error resolving repo revision');
      expect((await lab.get(name)).operation).toBeUndefined();
      const app = await lab.synced(name);
      expect(app.status?.operationState).toMatchObject({
        phase: 'Succeeded',
        syncResult: { revision },
      });
    },
  },
];
