import { defineConfig } from 'vitest/config';

// The unit side: no cluster, no network. The suites on the real stack have test/stack/vitest.config.ts.
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // Vitest leaves a core free, which on two is half of them.
    maxWorkers: '100%',
    // No test measures time: this only ends what hangs, also on a machine that is busy with other things.
    testTimeout: 60_000,
    exclude: ['test/stack/suites/**', 'test/stack/lifecycle/**'],
  },
});
