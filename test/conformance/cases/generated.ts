// Applications that a generator makes while they are held by a pattern of their names.
import { expect } from 'vitest';
import { stateOf } from '../app.ts';
import type { Manifest } from '../argocd-world.ts';
import type { Case } from '../case.ts';
import type { Lab } from '../lab.ts';
import { configMap } from '../manifests.ts';
import { denied, initiator, operationOf, refreshedFor } from './automated.ts';
import { at, setOf, untilStored } from './nested.ts';

/** The Applications of this set sync by themselves. */
function automatedSet(lab: Lab, ...letters: readonly string[]): Manifest {
  const text = JSON.stringify(setOf(lab, ...letters));
  return JSON.parse(text.replace('"project":', '"syncPolicy":{"automated":{}},"project":'));
}

/** Its Applications go with it. */
async function whileThere(
  lab: Lab,
  set: Manifest,
  letters: readonly string[],
  check: () => unknown,
) {
  for (const letter of letters) await lab.world.commit(letter, [configMap(letter)]);
  await lab.apply(set);
  try {
    await check();
  } finally {
    await lab.remove(set);
    await lab.untilGone(set);
  }
  for (const letter of letters) await lab.untilGone(at(lab, lab.name(letter)));
}

async function isUpToDate(lab: Lab, { metadata: { name } }: Manifest): Promise<boolean> {
  const sets = await lab.target.applicationSets.list([lab.world.argocdNamespace]);
  return sets.find((one) => one.name === name)?.upToDate === true;
}

export const generated: readonly Case[] = [
  {
    title: 'a deny window with a pattern keeps what is made under it from syncing by itself',
    check: async (lab) => {
      await denied(lab, lab.name('h-*'));
      const letters = ['h-one', 'h-two', 'free'];
      await whileThere(lab, automatedSet(lab, ...letters), letters, async () => {
        await untilStored(lab, lab.name('free'));
        await lab.untilState(lab.name('free'), 'Synced', 'Healthy');
        for (const letter of ['h-one', 'h-two']) {
          const held = await refreshedFor(lab, lab.name(letter));
          const found = [...stateOf(held), operationOf(held)];
          expect(found).toEqual(['OutOfSync', 'Missing', undefined]);
        }
        const asked = await lab.deployed(lab.name('h-one'));
        expect(initiator(asked)).toEqual({ username: 'tiphys' });
      });
    },
  },
  {
    title: 'a new ApplicationSet is up to date once its Applications are there, and not before',
    check: async (lab) => {
      const letters = ['a', 'b', 'c', 'd', 'e'];
      const set = setOf(lab, ...letters);
      await whileThere(lab, set, letters, async () => {
        await lab.until('the set to be up to date', () => isUpToDate(lab, set));
        for (const letter of letters) expect(await lab.stored(lab.name(letter))).toBeDefined();
      });
    },
  },
  {
    title: 'an ApplicationSet that cannot make its Applications is not up to date',
    check: async (lab) => {
      // Two of the same name.
      const set = setOf(lab, 'a', 'a');
      await whileThere(lab, set, [], async () => {
        await lab.until('the set to be looked at', async () => {
          return ((await lab.read(set))?.status?.conditions ?? []).length > 0;
        });
        expect(await isUpToDate(lab, set)).toBe(false);
        expect(await lab.stored(lab.name('a'))).toBeUndefined();
      });
    },
  },
];
