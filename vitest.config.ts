import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// The unit side: no cluster, no network. The suites on the real stack have test/stack/vitest.config.ts.
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // Some wait for processes of their own, so that one more than there are cores finds work.
    maxWorkers: availableParallelism() + 1,
    // No test measures time: this only ends what hangs, also on a machine that is busy with other things.
    testTimeout: 60_000,
    exclude: ['test/stack/suites/**', 'test/stack/lifecycle/**'],
  },
});
