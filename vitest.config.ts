import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** They start the program, or a platform, again and again: `npm run test:slow`, on every change, but not within the two minutes of `npm test`. */
const SLOW = [
  'src/rehearsal/rehearsal.test.ts',
  'test/bad-input/cycles.test.ts',
  'test/bad-input/syntax.test.ts',
  'test/executor/statuses.test.ts',
  'test/health/checks.test.ts',
  'test/health/hostile.test.ts',
  'test/package/**/*.test.ts',
  'test/properties/determinism.test.ts',
  'test/properties/locale.test.ts',
  'test/rehearsal/deploy.test.ts',
  'test/rehearsal/serve.test.ts',
  'test/simulation/crash.test.ts',
  'test/simulation/makespan.test.ts',
  'test/simulation/new-worlds.test.ts',
  'test/simulation/planted.test.ts',
  'test/simulation/simulation.test.ts',
  'test/simulation/without-hold.test.ts',
  'test/teardown/command.test.ts',
  'test/teardown/kill.test.ts',
  'test/workflows/teardown.test.ts',
];
const ON_THE_STACK = ['bare', 'lifecycle', 'suites'].map((part) => `test/stack/${part}/**`);

// The unit side: no cluster, no network. The suites on the real stack have test/stack/vitest.config.ts.
export default defineConfig(({ mode }) => ({
  test: {
    include: mode === 'slow' ? SLOW : ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: mode === 'slow' ? [] : [...ON_THE_STACK, ...SLOW],
    // Some wait for processes of their own, so that one more than there are cores finds work.
    maxWorkers: availableParallelism() + 1,
    // No test measures time: this only ends what hangs, also on a machine that is busy with other things.
    testTimeout: 60_000,
  },
}));
