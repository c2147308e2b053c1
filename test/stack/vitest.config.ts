import { defineConfig } from 'vitest/config';
import { full } from './kit/full.ts';
import { laneOptions } from './lanes.ts';

// The suites on the real stack. The directory is given with --dir.
export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    ...laneOptions(process.env.TIPHYS_STACK_LANE, full),
    maxConcurrency: 8,
    // They only end what hangs: Argo CD overlooks a change now and then, and sees it in its own round, three minutes later.
    testTimeout: 600_000,
    hookTimeout: 300_000,
    teardownTimeout: 30_000,
  },
});
