import { expect, test } from 'vitest';
import { TiphysError } from '../errors.ts';
import { renderDiagnostics, renderDiagnosticsJson } from './diagnostics.ts';

const { diagnostics } = new TiphysError([
  {
    code: 'teardown-differs',
    message: 'The cluster has changed since the approval:',
    details: ['db is new', 'cache is gone\nforged line, fetched from https://u:secret@h'],
    hint: 'Nothing was deleted.',
  },
]);

test('details have a line each, whatever is in them', () => {
  expect(renderDiagnostics(diagnostics).split('\n')).toEqual([
    'error[teardown-differs]: The cluster has changed since the approval:',
    '    db is new',
    '    cache is gone forged line, fetched from https://***@h',
    '  hint: Nothing was deleted.',
    '',
  ]);
});

test('programs get them as a list', () => {
  const { errors } = JSON.parse(renderDiagnosticsJson(diagnostics, 1));
  expect(errors[0].details).toHaveLength(2);
});

test('a hint that several errors share stands below the last of them', () => {
  const error = (message: string, hint: string) =>
    ({ code: 'dependencies-not-healthy', message, hint }) as const;
  const shown = renderDiagnostics([
    error('db', 'Deploy it.'),
    error('api', 'Deploy it.'),
    error('web', ''),
  ]);
  expect(shown.replaceAll('error[dependencies-not-healthy]: ', '')).toBe(
    'db\napi\n  hint: Deploy it.\nweb\n',
  );
});
