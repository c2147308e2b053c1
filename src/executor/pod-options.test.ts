import { expect, test } from 'vitest';
import { parsePod } from './pod-options.ts';

test('what the compiler writes is read', () => {
  const args = ['app:api', '--plan', 'p', '--run', 'r', '--run-timeout', '7200', '--layered'];
  expect(parsePod('node', [...args, '--concurrency', '20'])).toEqual({
    options: { plan: 'p', run: 'r', runTimeout: 7200, layered: true, concurrency: 20 },
    node: 'app:api',
  });
});

test('who submitted the Workflow is one argument, whatever is in it', () => {
  const { options } = parsePod('begin', ['--submitted-by=--keep-hold x', '--plan', 'p']);
  expect(options).toEqual({ plan: 'p', submittedBy: '--keep-hold x' });
});

test.each([
  ['no plan', []],
  ['an option without its value', ['--plan', 'p', '--run']],
  ['an unknown option', ['--plan', 'p', '--shell']],
  ['help, which nobody reads', ['--plan', 'p', '--help']],
  ['a time that is none', ['--plan', 'p', '--run-timeout', 'soon']],
  ['no time at all', ['--plan', 'p', '--stuck-after', '0']],
  ['a part of a node', ['--plan', 'p', '--concurrency', '0.5']],
  ['a volume policy that is none', ['--plan', 'p', '--volumes', 'maybe']],
  ['more than one node', ['a', 'b', '--plan', 'p']],
])('refused: %s', (_, args) => {
  expect(() => parsePod('node', args)).toThrow(
    expect.objectContaining({
      diagnostics: [
        expect.objectContaining({
          code: 'variable-invalid',
          message: expect.stringMatching(/^The arguments of the pod are not valid: \S.*[^.]\.$/s),
        }),
      ],
    }),
  );
});
