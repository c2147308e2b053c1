// A cluster in memory, with a platform whose gate asks for approval, and the command on it.
import { expect } from 'vitest';
import { runCli } from '../../src/cli/run-cli.ts';
import type { Target } from '../../src/ports/target.ts';
import { ASKS, askedFor } from '../fakes/approvals.ts';
import type { Behaviour } from '../fakes/argocd.ts';
import { app, planFrom, World } from '../fakes/run-world.ts';
import { caller } from '../guards/command-in-process.ts';

/** What a test file lets `connect` answer. */
export const cluster: { reached: Target | undefined } = { reached: undefined };

export const MINUTE = 60_000;
const SPEC = {
  stacks: [{ name: 's', applications: [app('vault', [], ASKS), app('api', ['vault'])] }],
};
export const platform = (spec: object) =>
  JSON.stringify({
    ...{ apiVersion: 'tiphys.dev/v1alpha1', kind: 'Platform' },
    ...{ metadata: { name: 'shop' }, spec },
  });

export function place(
  spec: object = SPEC,
  applications: Record<string, Behaviour> = { vault: {}, api: {} },
) {
  const world = new World(applications);
  cluster.reached = world.target;
  const { clock } = world;
  const plan = planFrom(spec);
  const advance = (ms: number) => clock.advance(ms);
  const withFile = (file: string) => {
    const call = caller({ clock, files: { 'platform.yaml': file }, advance });
    return (...args: string[]) => call(runCli, args);
  };
  const tiphys = withFile(platform(spec));
  const begin = async () => {
    const report = world.start(plan);
    await clock.advance(MINUTE);
    expect(askedFor(world)).toEqual(['app:vault']);
    return { report, run: world.events[0]?.run ?? '' };
  };
  const ended = (report: Promise<unknown>) => clock.until(report);
  return { world, tiphys, withFile, begin, ended };
}
