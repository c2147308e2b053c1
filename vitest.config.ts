import { defineConfig } from 'vitest/config';

// The unit side: no cluster, no network. The suites on the real stack have test/stack/vitest.config.ts.
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['test/stack/suites/**', 'test/stack/lifecycle/**'],
  },
});
