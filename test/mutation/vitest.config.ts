import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { FOLDER_VARIABLE, SLOW_TESTS, TESTS } from './scope.ts';

const folder = process.env[FOLDER_VARIABLE] ?? '';
const code = new Map<string, string>(
  JSON.parse(readFileSync(join(folder, 'code.json'), 'utf8')) as [string, string][],
);

/** Small tests first: what they notice, the large ones need not try. */
class SmallFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) =>
      [
        '/src/gate',
        '/src/node',
        '/src/session',
        '/src/',
        '/test/recordings',
        '/test/guards',
        '/',
      ].findIndex((part) => relative('', moduleId).startsWith(part.slice(1)));
    return [...files].sort((a, b) => rank(a) - rank(b) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}

export default defineConfig({
  plugins: [
    {
      name: 'mutants',
      enforce: 'pre',
      load: (id) => code.get(relative(process.cwd(), id.split('?')[0] ?? id)),
    },
  ],
  test: {
    include: TESTS,
    exclude: SLOW_TESTS,
    runner: join(import.meta.dirname, 'mutating-runner.ts'),
    sequence: { sequencer: SmallFirst },
    pool: 'threads',
    isolate: false,
    maxWorkers: 1,
    // One test stands for all its mutants.
    testTimeout: 24 * 3_600_000,
    dangerouslyIgnoreUnhandledErrors: true,
  },
});
