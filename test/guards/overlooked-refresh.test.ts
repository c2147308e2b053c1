// A refresh that Argo CD has overlooked costs seconds, not Argo CD's own round of minutes; see src/targets/argocd/refreshes.ts.
import { expect, test } from 'vitest';
import { outcomes } from '../fakes/run-world.ts';
import { Rehearsed } from './rehearsed.ts';

const applications = [
  { name: 'a', expectedDuration: '20s' },
  { name: 'b', dependsOn: ['a'], expectedDuration: '20s' },
];
const SPEC = { stacks: [{ name: 's', applications }] };
const HARD = (kind: string) => kind === 'hard';

test('it is asked for in another way, once', async () => {
  const plain = new Rehearsed({ spec: SPEC });
  const usual = await plain.deploy();
  const world = new Rehearsed({
    spec: SPEC,
    faults: ['argocd misses-refreshes 100% at 30s for 10s'],
  });
  const report = await world.deploy();
  expect(outcomes(report)).toEqual({ a: 'healthy', b: 'healthy' });
  expect(world.waits('app:b')).toContain('a refresh is pending');
  expect(world.refreshes.filter(HARD)).toHaveLength(1);
  const seconds = ({ startedAt, finishedAt }: typeof usual) =>
    (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000;
  expect(seconds(report) - seconds(usual)).toBeLessThan(60);
});
