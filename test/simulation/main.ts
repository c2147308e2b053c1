// `npm run simulate`: seeds, crash points, planted bugs.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { bundle } from './bundle.ts';
import { runCrashPoints } from './crash-points.ts';
import { runMakespans } from './makespan.ts';
import { runPlanted } from './planted.ts';
import { SIZES } from './realistic.ts';
import { MEAN, runSeeds } from './seeds.ts';
import { runWithoutHold } from './without-hold.ts';

const USAGE = `npm run simulate -- --seeds N [--from K]   that many worlds, from seed K on
                   --seed S                 one world, with a trace
                   --crash-points           a crash at every write
                   --planted [--only NAME]  bugs that must be caught
                   --without-hold --seeds N the share of worlds that fail when the hold is taken away
                   --makespan               the time of 43 and of 1,000 applications against their critical paths
options: --size small|realistic|mixed (mixed: half of the worlds are small, half have 10 to 60 applications),
         --apps MEAN (applications of a small world on average), --processes N (2), --teardown (worlds in which a platform is torn down),
         --workflow (worlds in which a Workflow deploys it), --approvals (worlds in which gates ask for approval),
         --probes (worlds in which gates have a probe)`;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    apps: { type: 'string', default: String(MEAN) },
    size: { type: 'string', default: 'mixed' },
    processes: { type: 'string', default: '2' },
    'crash-points': { type: 'boolean', default: false },
    teardown: { type: 'boolean', default: false },
    workflow: { type: 'boolean', default: false },
    approvals: { type: 'boolean', default: false },
    probes: { type: 'boolean', default: false },
    planted: { type: 'boolean', default: false },
    makespan: { type: 'boolean', default: false },
    'without-hold': { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});
const print = (line: string) => console.log(line);
const processes = Number(values.processes);
const mean = Number(values.apps);
const mission =
  (['teardown', 'workflow', 'approvals', 'probes'] as const).find((one) => values[one]) ?? 'deploy';
const size = SIZES.find((one) => one === values.size) ?? 'mixed';

async function run(): Promise<boolean> {
  if (values.planted) return await runPlanted({ processes, mean, only: values.only, print });
  if (values.makespan) return await runMakespans(print);
  if (values.seed === undefined && values.seeds === undefined && !values['crash-points']) {
    print(USAGE);
    return false;
  }
  const [from, count] = [Number(values.from), Number(values.seeds)];
  if (values['without-hold']) return await runWithoutHold({ from, count, mean, processes, print });
  const file = await bundle();
  if (values['crash-points'])
    return await runCrashPoints({ bundle: file, processes, step: 1, print });
  if (values.seed !== undefined) {
    const args = ['--no-warnings', file, values.seed, values.apps, mission, size];
    return spawnSync(process.execPath, args, { stdio: 'inherit' }).status === 0;
  }
  return await runSeeds({ bundle: file, from, count, mean, size, processes, mission, print });
}

process.exitCode = (await run()) ? 0 : 1;
