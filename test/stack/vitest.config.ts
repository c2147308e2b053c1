import { defineConfig } from 'vitest/config';

// The suites on the real stack: one cluster, so one file after the other.
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['suites/**/*.test.ts', 'lifecycle/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 120_000,
    teardownTimeout: 30_000,
  },
});
