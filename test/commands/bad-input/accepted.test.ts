import { describe, expect, it } from 'vitest';
import { type Input, plan } from './measured-command.ts';
import { application, applications, spec, times } from './text.ts';

const GOOD = applications(['{ name: a }', '{ name: b, dependsOn: [a] }']);
const NUMBER_NAMES = applications(['{ name: "012", dependsOn: ["no"] }', '{ name: "no" }']);

/** Enough for whatever it takes. */
const withTime = (text: string) => text.replace('spec:\n', 'spec:\n  timeouts: { run: 168h }\n');

const CLEAN: Readonly<Record<string, Input>> = {
  'a plain file': GOOD,
  'JSON text': JSON.stringify({
    apiVersion: 'tiphys.dev/v1alpha1',
    kind: 'Platform',
    metadata: { name: 'p' },
    spec: { stacks: [{ name: 's', applications: [{ name: 'a' }] }] },
  }),
  'CRLF line ends': GOOD.replaceAll('\n', '\r\n'),
  'a byte order mark': `\ufeff${GOOD}`,
  'a byte order mark and a document mark': `\ufeff---\n${GOOD}`,
  'document marks': `---\n${GOOD}...\n`,
  'no line end at the end': GOOD.trimEnd(),
  'standard input': { stdin: Buffer.from(GOOD) },
  'an anchor without aliases': GOOD.replace('{ name: a }', '&a { name: a }'),
  'brackets, tabs and anything else in comments': `# ${'['.repeat(1_000)}\t\u{1f6a2} *a &b {{x}}\n${GOOD}`,
  'words that are keys of every object': applications(['{ name: tostring }', '{ name: valueof }']),
  'quoted names that look like other values': NUMBER_NAMES,
  'names of 253 characters': applications([`name: ${'a'.repeat(253)}`]),
  'names with dots': applications(['{ name: a.b-c.d0, dependsOn: [app:e] }', '{ name: e }']),
  'an application and a stack of the same name': applications(['{ name: s }']),
  'no stacks at all': spec('  stacks: []\n'),
  'zero where nothing may be waited for': applications([
    '{ name: a, expectedDuration: 0s, retries: { backoff: 0s }, gate: { dwell: 0s } }',
  ]),
  'the longest duration': withTime(applications(['{ name: a, expectedDuration: 168h }'])),
  '1,000 dependencies': withTime(
    applications([
      ...times(1_000, (at) => `name: a${at}`),
      application(1_000, ...times(1_000, (at) => `a${at}`)),
    ]),
  ),
  'the same dependency twice': applications(['name: a0', application(1, 'a0', 'app:a0')]),
};

describe('No false alarms', () => {
  for (const [title, input] of Object.entries(CLEAN)) {
    it.concurrent(title, async () => {
      const { status, stderr, stdout } = await plan(input, '-o', 'json');
      expect(stderr).toBe('');
      expect(status).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ kind: 'Plan' });
    });
  }
});
