// A place for commands whose Workflows are caught as they are submitted: nothing runs them.
import type { World } from '../fakes/run-world.ts';
import { caller } from './command-in-process.ts';

interface CaughtWorkflow {
  readonly metadata: { readonly annotations: Readonly<Record<string, string>> };
  readonly spec: {
    readonly podSpecPatch?: string;
    readonly templates: readonly {
      readonly name: string;
      readonly container?: { readonly args: readonly string[] };
    }[];
  };
}

export function placeIn(world: World, files: Readonly<Record<string, string>>) {
  const created: CaughtWorkflow[] = [];
  world.part.workflows = {
    ...world.target.workflows,
    list: async () => [],
    create: async (_, __, object) => {
      created.push(object as CaughtWorkflow);
      return { kind: 'done' };
    },
  };
  const { clock } = world;
  const advance = async (ms: number) => {
    if (clock.sleepers > 0) await clock.advance(ms);
  };
  return { world, created, call: caller({ clock, files, advance }) };
}
