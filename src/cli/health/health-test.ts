// tiphys health test: checks against their cases, in the sandbox.
import type { Command } from 'commander';
import { EXIT } from '../../errors.ts';
import { type Context, createCommand, outputOption } from '../command.ts';
import { checksFolder, readTests } from './health-files.ts';

interface Options {
  readonly output: 'text' | 'json';
  readonly openLibs?: boolean;
}

export function healthTestCommand({ io, finish }: Context): Command {
  return createCommand({
    name: 'test',
    description:
      "Run health checks against their cases, in a sandbox that agrees with Argo CD's: no files, no network, limits on time and memory.",
    examples: [
      ['tiphys health test', 'the checks that come with Tiphys'],
      [
        'tiphys health test health/',
        'those of a folder: GROUP/KIND/health.lua with health_test.yaml',
      ],
      ['tiphys health test resource_customizations/ --open-libs', "Argo CD's own"],
    ],
    statuses: { [EXIT.ok]: 'all cases passed', [EXIT.failure]: 'a case failed' },
  })
    .argument('[folder]', 'where the checks are')
    .option('--open-libs', 'with the libraries that Argo CD opens for its bundled checks')
    .addOption(outputOption(['text', 'json']))
    .action(async (folder: string | undefined, options: Options) => {
      const [{ testChecks }, { renderHealthTest }, { renderJson }] = await Promise.all([
        import('../../health/test-checks.ts'),
        import('../../view/health-text.ts'),
        import('../../view/data.ts'),
      ]);
      const tests = readTests(io, checksFolder(io, folder));
      const openLibs = options.openLibs ?? false;
      const result = testChecks(tests, { clock: io.clock, openLibs });
      io.stdout(options.output === 'json' ? renderJson(result) : renderHealthTest(result));
      finish(result.failed === 0 ? EXIT.ok : EXIT.failure);
    });
}
