import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const TESTS = ['src/**/*.test.ts', 'test/**/*.test.ts'];
/** They start the program, or a platform, again and again: `npm run test:slow`, on every change, but not within the two minutes of `npm test`. */
const SLOW = ['src/**/*.slow.test.ts', 'test/**/*.slow.test.ts'];
const ON_THE_STACK = ['bare', 'lifecycle', 'suites'].map((part) => `test/stack/${part}/**`);

// The unit side: no cluster, no network. The suites on the real stack have test/stack/vitest.config.ts.
export default defineConfig(({ mode }) => ({
  test: {
    include: mode === 'slow' ? SLOW : TESTS,
    exclude: mode === 'slow' ? ON_THE_STACK : [...ON_THE_STACK, ...SLOW],
    // Some wait for processes of their own, so that one more than there are cores finds work.
    maxWorkers: availableParallelism() + 1,
    // Modules are loaded once for all files of a worker, which halves the time. So no module may keep a state that tests could see.
    isolate: false,
    // The terminal that the tests are started from does not colour what they compare.
    env: { FORCE_COLOR: '0' },
    // No test measures time: this only ends what hangs, also on a machine that is busy with other things.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
}));
