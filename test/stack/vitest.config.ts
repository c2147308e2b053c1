import { defineConfig } from 'vitest/config';

// The suites on the real stack: one cluster, so one file after the other. The directory is given with --dir.
export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    fileParallelism: false,
    maxConcurrency: 8,
    testTimeout: 180_000,
    hookTimeout: 120_000,
    teardownTimeout: 30_000,
  },
});
