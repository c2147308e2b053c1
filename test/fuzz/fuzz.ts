// Feeds a target with inputs and counts them. The first input that breaks a property is made as small as possible and ends it.
import fc from 'fast-check';
import { type Feed, Hang, judgeInput } from './properties.ts';

const SHOWN = 1_000;

export interface FuzzTarget {
  readonly name: string;
  /** Of all inputs: its part, against those of the others. */
  readonly share: number;
  readonly run: (parameters: Parameters) => Promise<TargetResult>;
}

interface Parameters {
  readonly seed: number;
  readonly inputs: number;
  /** Called before each input. */
  readonly begin: () => void;
}

interface TargetResult {
  /** Inputs that broke nothing. */
  readonly passed: number;
  /** What is broken, and by what. */
  readonly failure: string | undefined;
}

export function fuzzTarget<T>(
  name: string,
  share: number,
  inputs: fc.Arbitrary<T>,
  feed: Feed<T>,
): FuzzTarget {
  return {
    name,
    share,
    run: async ({ seed, inputs: numRuns, begin }) => {
      let hangs = false;
      const property = fc.asyncProperty(inputs, async (input) => {
        // To make it smaller would hang again and again.
        if (hangs) return;
        begin();
        await judgeInput(feed, input).catch((error) => {
          hangs = error instanceof Hang;
          throw error;
        });
      });
      const result = await fc.check(property, { seed, numRuns });
      if (!result.failed) return { passed: numRuns, failure: undefined };
      const { counterexample, errorInstance } = result;
      const why = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
      const failure = `${why}\n  input: ${fc.stringify(counterexample).slice(0, SHOWN)}`;
      return { passed: Math.max(0, result.numRuns - 1), failure };
    },
  };
}

export interface FuzzRequest {
  readonly targets: readonly FuzzTarget[];
  readonly inputs: number;
  readonly seed: number;
  readonly print: (line: string) => void;
  /** Told of each input before it is tried. */
  readonly begin?: (target: string) => void;
}

export interface FuzzResult {
  readonly passed: number;
  readonly failed: number;
}

/** Each target has the same seed, so that it can be replayed alone. */
export async function fuzz(request: FuzzRequest): Promise<FuzzResult> {
  const { targets, inputs, seed, print, begin = () => {} } = request;
  const shares = targets.reduce((sum, { share }) => sum + share, 0);
  let [passed, failed] = [0, 0];
  for (const { name, share, run } of targets) {
    const started = performance.now();
    const count = Math.max(1, Math.ceil((inputs * share) / shares));
    const result = await run({ seed, inputs: count, begin: () => begin(name) });
    passed += result.passed;
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    print(`${name}: ${result.passed} of ${count} inputs, ${seconds} s`);
    if (result.failure === undefined) continue;
    failed += 1;
    print(` FAIL  ${name}\n${result.failure}`);
    print(`  again: npm run fuzz -- --seed ${seed} --inputs ${count} --target '${name}'`);
  }
  return { passed, failed };
}
