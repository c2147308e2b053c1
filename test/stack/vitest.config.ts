import { defineConfig } from 'vitest/config';
import { laneOptions } from './lanes.ts';

// The suites on the real stack. The directory is given with --dir.
export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    ...laneOptions(process.env.TIPHYS_STACK_LANE),
    maxConcurrency: 8,
    testTimeout: 180_000,
    hookTimeout: 120_000,
    teardownTimeout: 30_000,
  },
});
