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
