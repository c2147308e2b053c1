// tiphys health test: checks against their cases, in Argo CD's Lua.
import { Argument, Option } from 'commander';
import { EXIT, type ExitStatus } from '../../errors.ts';
import { renderJson } from '../../view/lines.ts';
import { type CommandSpec, type Context, outputOption } from '../command.ts';
import { lookOn } from '../output/look-on.ts';
import type { OutputOptions } from '../output/output.ts';
import { checksFolder, readTests } from './health-files.ts';

interface Options extends OutputOptions {
  readonly openLibs?: boolean;
}

export const healthTestCommand: CommandSpec = {
  name: 'test',
  description:
    'Run health checks against their test cases, in the Lua interpreter of Argo CD: no files, no network, at most 1.2 s and 128 MB each.',
  examples: [
    ['tiphys health test', 'test the built-in checks'],
    [
      'tiphys health test health/',
      'test the checks in a folder: GROUP/KIND/health.lua with health_test.yaml',
    ],
    ['tiphys health test resource_customizations/ --open-libs', "test Argo CD's own checks"],
  ],
  statuses: { [EXIT.ok]: 'all cases passed', [EXIT.failure]: 'a case failed' },
  arguments: [new Argument('[folder]', 'folder with the checks')],
  options: [
    new Option('--open-libs', 'load the libraries that Argo CD loads for its bundled checks'),
    outputOption('text', 'json'),
  ],
  action: testAction,
};

async function testAction({ io }: Context, options: Options, folder?: string): Promise<ExitStatus> {
  const { testChecks } = await import('../../health/test-checks.ts');
  const { renderHealthTest } = await import('../../view/health-text.ts');
  const tests = await readTests(io, checksFolder(io, folder));
  const result = await testChecks(tests, { lua: io.lua, openLibs: options.openLibs ?? false });
  io.stdout(
    options.output === 'json' ? renderJson(result) : renderHealthTest(result, lookOn(io, 'stdout')),
  );
  return result.failed === 0 ? EXIT.ok : EXIT.failure;
}
