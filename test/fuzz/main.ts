// `npm run fuzz`: hostile inputs for everything that reads what others wrote.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { ALL } from './all-targets.ts';
import { fuzz } from './fuzz.ts';
import { PLANTED } from './planted.ts';
import { watchOver } from './watchdog.ts';

const USAGE = `npm run fuzz -- [--inputs N] [--seed S] [--target NAME] [--planted NAME] [--silence MS]
targets: ${ALL.map(({ name }) => name).join(', ')}`;

const { values } = parseArgs({
  options: {
    inputs: { type: 'string', default: '200000' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    target: { type: 'string' },
    planted: { type: 'string' },
    silence: { type: 'string', default: '30000' },
  },
});
const [inputs, seed] = [Number(values.inputs), Number(values.seed)];
const known = values.planted === undefined ? ALL : PLANTED;
const wanted = values.planted ?? values.target;
const targets = known.filter(({ name }) => wanted === undefined || name === wanted);
const print = (line: string) => console.log(line);

async function run(): Promise<boolean> {
  if (targets.length === 0 || !(inputs > 0) || !Number.isSafeInteger(seed)) {
    print(USAGE);
    return false;
  }
  print(`seed ${seed}`);
  const watchdog = watchOver(seed, Number(values.silence));
  const { passed, failed } = await fuzz({ targets, inputs, seed, print, begin: watchdog.begin });
  await watchdog.end();
  print(`${passed} passed, ${failed} failed`);
  return failed === 0;
}

process.exitCode = (await run()) ? 0 : 1;
