// What a reader of findings gets to see, whatever manifests hold.
import { expect, test } from 'vitest';
import type { LintReport } from './finding.ts';
import { sarifOf } from './sarif.ts';

function resultOf(message: string, path?: string) {
  const finding = {
    ...{ rule: 'wait-unclear', level: 'note', application: 'api', object: 'Job/one' },
    ...{ message, fix: 'Fix it.', edge: null, patch: null },
  } as const;
  const report = { findings: [finding] } as unknown as LintReport;
  const { runs } = sarifOf({ report, version: '1', pathOf: () => path }) as {
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
