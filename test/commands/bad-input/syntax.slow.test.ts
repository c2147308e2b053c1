import { describe, expect, it } from 'vitest';
import { plan } from './measured-command.ts';
import { refuses } from './refuse.ts';
import { applications, HEAD, spec, times } from './text.ts';

describe('E1: files', () => {
  refuses('E1: no file', { path: 'nowhere.yaml' }, { errors: ['file-unreadable'] });
  refuses('E1: a folder', { path: '.' }, { errors: ['file-unreadable'] });
  refuses('E1: a file below a file', { path: '/dev/null/x' }, { errors: ['file-unreadable'] });
  refuses('E1: an empty file', '', { errors: ['1:1 yaml-syntax'] });
  refuses('E1: an empty device', { path: '/dev/null' }, { errors: ['1:1 yaml-syntax'] });
  refuses('E1: only a comment', '# nothing\n', { errors: ['1:1 yaml-syntax'] });
  refuses('E1: only a mark', '---\n', { errors: ['1:1 value-type'] });
  refuses('E1: Latin 1', Buffer.from(spec('  root: caf\u00e9\n'), 'latin1'), {
    errors: ['file-not-utf8'],
  });
  refuses('E1: UTF-16', Buffer.from(`\ufeff${HEAD}`, 'utf16le'), { errors: ['file-not-utf8'] });
  refuses('E1: half of a surrogate pair', Buffer.from([0x61, 0xed, 0xa0, 0x80]), {
    errors: ['file-not-utf8'],
  });
  refuses('E1: a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), {
    errors: ['file-not-utf8'],
  });
});

describe('E1: syntax and shape', () => {
  refuses('E1: a tab', spec('\tstacks: []\n'), { errors: ['5:1 yaml-syntax'] });
  refuses('E1: an open bracket', spec('  stacks: [\n'), { errors: ['6:1 yaml-syntax'] });
  refuses('E1: an open quote', spec('  root: "a\n'), { errors: ['6:1 yaml-syntax'] });
  refuses('E1: a null byte', spec('  root: a\u0000\n'), { errors: ['5:10 yaml-syntax'] });
  refuses('E1: an escape sequence', spec('  root: a\u001b[31m\n'), {
    errors: ['5:10 yaml-syntax'],
  });
  refuses('E1: two documents', `${spec('  stacks: []\n')}---\n${HEAD}`, {
    errors: ['6:1 yaml-syntax'],
  });
  refuses('E1: text', 'hello\n', { errors: ['1:1 value-type'] });
  refuses('E1: a list', '- a\n- b\n', { errors: ['1:1 value-type'] });
  refuses(
    'E1: another kind',
    'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {stacks: []}\n',
    {
      errors: ['1:13 value-unexpected', '2:7 value-unexpected'],
    },
  );
  refuses('E1: everything missing', '{}', { errors: Array(4).fill('1:1 key-missing') });
  refuses('E1: keys missing inside', spec('  stacks: [{}, { name: s, applications: [{}] }]\n'), {
    errors: ['5:12 key-missing', '5:12 key-missing', '5:42 key-missing'],
  });
  refuses(
    'E1: wrong types',
    spec('  timeouts: 5m\n  retries: [1]\n  classes: []\n  root: {}\n  stacks: {}\n'),
    { errors: ['5:13', '6:12', '7:12', '8:9', '9:11'].map((at) => `${at} value-type`) },
  );
  refuses(
    'E1: unknown keys, with the nearest',
    applications(['{ name: a, dependOn: [], timeout: { sync: 1m }, gate: { dwel: 1s }, zzz: 1 }']),
    {
      errors: ['8:22', '8:36', '8:67', '8:79'].map((at) => `${at} key-unknown`),
      says: ['"dependsOn"?', '"timeouts"?', '"dwell"?', 'Known keys: name, selector'],
    },
  );
  refuses(
    'E1: values left out',
    spec('  root:\n  stacks:\n    - name:\n      applications:\n        -\n'),
    { errors: ['5:3', '7:7', '9:9'].map((at) => `${at} value-type`) },
  );
  refuses(
    'E1: 10,000 errors at once',
    applications(times(10_000, (at) => `{ name: a${at}, dependOn: [] }`)),
    { errors: ['8:23 key-unknown', '9:23 key-unknown'], more: 9_998 },
  );
  refuses(
    'E1: 10,000 references to nothing',
    applications(times(10_000, (at) => `{ name: a${at}, dependsOn: [b${at}] }`)),
    { errors: ['8:35 reference-unknown', '9:35 reference-unknown'], more: 9_998 },
  );

  refuses(
    'E1: 200,000 errors at once',
    () => applications(times(100_000, (at) => `{ name: A${at}, dependOn: [] }`)),
    {
      errors: ['8:19 name-invalid', '8:23 key-unknown'],
      more: 199_998,
      bounds: { cpu: 20, memory: 1_000 },
    },
  );

  it('E1: errors as JSON', async () => {
    const outcome = await plan('hello\n', '-o', 'json');
    expect(outcome).toMatchObject({ status: 3, stdout: '' });
    expect(JSON.parse(outcome.stderr)).toMatchObject({
      exitStatus: 3,
      errors: [{ code: 'value-type', file: 'platform.yaml', line: 1, column: 1 }],
    });
  });
});
