// What versions of Argo CD do differently, or newer ones alone: each case says which versions it belongs to.
import { expect } from 'vitest';
import { type App, resultOf } from '../app.ts';
import type { Case } from '../case.ts';
import { APPLICATION, type Lab } from '../lab.ts';
import { CASCADE, configMap, hook, INVALID_NAME, refusedBeside } from '../manifests.ts';

const messageOf = ({ status }: App) => status?.operationState?.message ?? '';

async function hookResult(lab: Lab) {
  const name = await lab.app('a', [hook('PostSync', lab.world.job('h', 0)), configMap('a')]);
  const result = resultOf(await lab.synced(name), 'h');
  expect(result).toMatchObject({ hookType: 'PostSync', hookPhase: 'Succeeded' });
  return result;
}

/** Whether its object still exists when the Application is gone. */
async function keptByOption(lab: Lab): Promise<boolean> {
  const syncPolicy = { syncOptions: ['Delete=false'] };
  const name = await lab.app('a', [configMap('a')], { finalizers: [CASCADE], syncPolicy });
  await lab.deployed(name);
  await lab.about('DELETE', name, '', { cascade: 'true', propagationPolicy: 'foreground' });
  const namespace = lab.world.argocdNamespace;
  await lab.untilGone({ ...APPLICATION, metadata: { name, namespace } });
  return (await lab.read(configMap('a'))) !== undefined;
}

/** An Application whose manifests are read from the folder `a`, as a hydrator would have left them there. */
async function hydrated(lab: Lab, dryRepository: string, sync: object = {}) {
  await lab.world.commit('a', [configMap('a')]);
  const sourceHydrator = {
    drySource: { repoURL: dryRepository, path: 'dry', targetRevision: 'main' },
    syncSource: { targetBranch: 'main', path: 'a', ...sync },
  };
  const manifest = lab.manifestOf('a', { spec: { source: undefined, sourceHydrator } });
  await lab.apply(JSON.parse(JSON.stringify(manifest)));
  await lab.refresh(lab.name('a'));
  const app = await lab.untilState(lab.name('a'), 'OutOfSync', 'Missing');
  const { name, project } = { name: lab.name('a'), project: lab.project };
  const namespace = lab.world.argocdNamespace;
  const view = await lab.target.applications.get({ name, namespace, project });
  expect([view?.hydrated, view?.compared === view?.wanted]).toEqual([true, true]);
  return app.status?.sync?.comparedTo?.source;
}

export const byVersion: readonly Case[] = [
  {
    title: 'an Application with a source hydrator is compared with its sync source alone',
    check: async (lab) => {
      const { repository } = lab.world;
      const source = { repoURL: repository, path: 'a', targetRevision: 'main' };
      expect(await hydrated(lab, repository)).toEqual(source);
    },
  },
  {
    title: 'the sync source of a hydrator may be in another repository',
    from: 5,
    check: async (lab) => {
      const { repository: repoURL } = lab.world;
      const dry = repoURL.replace(/[^/]*$/, 'dry.git');
      const source = { repoURL, path: 'a', targetRevision: 'main' };
      expect(await hydrated(lab, dry, { repoURL })).toEqual(source);
    },
  },
  {
    title: 'an option Delete=false of an Application itself keeps nothing',
    before: 4,
    check: async (lab) => expect(await keptByOption(lab)).toBe(false),
  },
  {
    title: 'an option Delete=false of an Application itself keeps its objects',
    from: 4,
    check: async (lab) => expect(await keptByOption(lab)).toBe(true),
  },
  {
    title: 'the result of a hook has a phase and no status',
    before: 4,
    check: async (lab) => expect((await hookResult(lab))?.status).toBeUndefined(),
  },
  {
    title: 'the result of a hook has a phase and the status Synced',
    from: 4,
    check: async (lab) => expect((await hookResult(lab))?.status).toBe('Synced'),
  },
  {
    title: 'an operation whose object is refused ends at once, whatever runs beside it',
    before: 4,
    check: async (lab) => {
      const app = await lab.synced(await lab.app('a', refusedBeside(configMap('a'))));
      expect(messageOf(app)).toContain('one or more objects failed to apply, reason: ');
      expect(resultOf(app, 'a')?.hookPhase).toBe('Running');
    },
  },
  {
    title: 'an operation whose object is refused ends when what was applied beside it has ended',
    from: 4,
    check: async (lab) => {
      const app = await lab.synced(await lab.app('a', refusedBeside(configMap('a'))));
      expect(messageOf(app)).toContain(
        'one or more synchronization tasks completed unsuccessfully, reason: ',
      );
      expect(resultOf(app, 'a')?.hookPhase).toBe('Succeeded');
      const alone = await lab.synced(await lab.app('b', [configMap(INVALID_NAME)]));
      expect(messageOf(alone)).toContain('one or more objects failed to apply, reason: ');
    },
  },
];
