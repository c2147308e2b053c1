// What a reader of findings gets to see, whatever manifests hold.
import { expect, test } from 'vitest';
import type { LintReport } from './finding.ts';
import { sarifOf } from './sarif.ts';

function resultOf(message: string, file?: string) {
  const finding = {
    ...{ rule: 'wait-unclear', level: 'note', application: 'api', object: 'Job/one' },
    ...{ message, fix: 'Fix it.', edge: null, patch: null },
    place: file === undefined ? null : { file },
  } as const;
  const report = { findings: [finding], problems: [], unchecked: [] } as unknown as LintReport;
  const { runs } = sarifOf({ report, version: '1' }) as {
    runs: { results: { message: unknown; locations: [{ physicalLocation?: object }] }[] }[];
  };
  const [result] = runs[0]?.results ?? [];
  return { message: result?.message, place: result?.locations[0].physicalLocation };
}

test('text of a manifest is no link and no place for an argument', () => {
  expect(resultOf('[see](https://evil.example) {0} a\\b').message).toEqual({
    text: String.raw`\[see\](https://evil.example) {{0}} a\\b Fix it.`,
  });
});

test.each([
  ['apps/my api', 'apps/my%20api'],
  ['./a//b/', 'a/b'],
  ['https://evil.example/x', 'https%3A/evil.example/x'],
  ['javascript:alert(1)', 'javascript%3Aalert(1)'],
  ['/etc/passwd', 'etc/passwd'],
  ['a\ud800', 'a%EF%BF%BD'],
])('the path %j is below the root', (path, uri) => {
  expect(resultOf('m', path).place).toEqual({ artifactLocation: { uri } });
});

test.each(['../../x', 'a/../../b', '', '.', undefined])('%j is no place', (path) => {
  expect(resultOf('m', path).place).toBeUndefined();
});

test('what was not checked is a notification', () => {
  const problems = [{ subject: 'api', message: 'Its source is not in this folder.' }];
  const report = { findings: [], problems, unchecked: ['api'] } as unknown as LintReport;
  const sarif = sarifOf({ report, version: '1' }) as {
    runs: { invocations: { toolExecutionNotifications: { message: { text: string } }[] }[] }[];
  };
  const [invocation] = sarif.runs[0]?.invocations ?? [];
  expect(invocation?.toolExecutionNotifications.map(({ message }) => message.text)).toEqual([
    'Not checked, or only in part: api',
    'Not checked: api: Its source is not in this folder.',
  ]);
});
