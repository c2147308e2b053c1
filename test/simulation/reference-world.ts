// The reference platform as a world in which nothing goes wrong of itself, with short times.
import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { membersOf, readPlatform } from './graph.ts';
import { PLAIN } from './realistic.ts';
import type { World } from './seeded-world.ts';
import type { PlatformData } from './shape.ts';

const FILE = 'examples/reference/platform.yaml';

type Written = Omit<PlatformData, 'spec'> & {
  readonly spec: Omit<PlatformData['spec'], 'stacks'> & {
    readonly stacks: readonly {
      readonly name: string;
      readonly application?: string;
      readonly dependsOn?: readonly string[];
      readonly applications: readonly {
        readonly name: string;
        readonly dependsOn?: readonly string[];
      }[];
    }[];
  };
};

export function referenceWorld(seed: number): World {
  const written = load(readFileSync(FILE, 'utf8')) as Written;
  const platform: PlatformData = {
    ...written,
    spec: {
      ...written.spec,
      gate: { dwell: '1s', degradedGrace: '10s' },
      concurrency: 50,
      timeouts: { sync: '120s', health: '120s', run: '1h' },
      retries: { maxAttempts: 3, backoff: '2s' },
      stacks: written.spec.stacks.map((stack) => ({
        ...{ ...stack, dependsOn: stack.dependsOn ?? [] },
        applications: stack.applications.map(({ name, dependsOn = [] }) => ({
          ...{ name, dependsOn, expectedDuration: '4s' },
        })),
      })),
    },
  };
  const reading = readPlatform(platform);
  const names = platform.spec.stacks.flatMap(({ applications }) =>
    applications.map((it) => it.name),
  );
  return {
    ...{
      seed,
      platform,
      reading,
      latency: 5,
      end: 0,
      wasDeployed: false,
      // Three commands within a minute ask for the rights on each of its Applications.
      isLarge: true,
      ...PLAIN,
    },
    workloads: new Map(names.map((name) => [name, { make: 'plain', seconds: 1 }])),
    automated: new Set(reading.gates.keys()),
    changed: new Set(),
    ...{
      hasGenerator: false,
      heldBefore: false,
      looks: { first: 0, every: 0 },
      mode: 'continuous',
      scope: undefined,
    },
    planned: membersOf(reading, undefined),
    secrets: [`token-of-${seed}`],
    asking: new Set<string>(),
    probing: new Set<string>(),
    mishaps: { faults: [], fates: [] },
  };
}
