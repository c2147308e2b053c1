// A loop without an end keeps this thread from telling of it: another thread watches over it, says what hangs and ends the process.
import { Worker } from 'node:worker_threads';

const NAME_MAX = 200;

/** In shared memory: the number of the input, the length of the target's name and the name. */
const PROGRAM = `
const { workerData, parentPort } = require('node:worker_threads');
const { writeSync } = require('node:fs');
const numbers = new Int32Array(workerData.shared, 0, 2);
const name = () => Buffer.from(new Uint8Array(workerData.shared, 8, numbers[1])).toString();
let [seen, since] = [-1, Date.now()];
for (;;) {
  if (Atomics.wait(numbers, 0, -1, 500) === 'ok' || numbers[0] === -1) break;
  if (numbers[0] !== seen) [seen, since] = [numbers[0], Date.now()];
  if (Date.now() - since < workerData.silence) continue;
  const passed = seen - 1;
  writeSync(1, ' FAIL  ' + name() + '\\nhang: input ' + seen + ' of all does not come to an end\\n'
    + "  again: npm run fuzz -- --seed " + workerData.seed + " --target '" + name() + "'\\n"
    + passed + ' passed, 1 failed\\n');
  process.kill(process.pid, 'SIGKILL');
}
`;

export interface Watchdog {
  /** An input of this target is tried next. */
  readonly begin: (target: string) => void;
  readonly end: () => Promise<void>;
}

/** `silence`: milliseconds that nothing takes which is only slow, on a machine that is busy with other things. */
export function watchOver(seed: number, silence: number): Watchdog {
  const shared = new SharedArrayBuffer(8 + NAME_MAX);
  const numbers = new Int32Array(shared, 0, 2);
  const worker = new Worker(PROGRAM, {
    eval: true,
    execArgv: [],
    workerData: { shared, seed, silence },
  });
  let before = '';
  return {
    begin: (target) => {
      if (target !== before) {
        const bytes = Buffer.from(target).subarray(0, NAME_MAX);
        new Uint8Array(shared, 8).set(bytes);
        numbers[1] = bytes.length;
        before = target;
      }
      Atomics.add(numbers, 0, 1);
    },
    end: async () => {
      Atomics.store(numbers, 0, -1);
      await worker.terminate();
    },
  };
}
