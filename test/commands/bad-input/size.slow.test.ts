import { describe } from 'vitest';
import { refuses } from './refuse.ts';
import { applications, spec, times } from './text.ts';

describe('E2: size', () => {
  refuses('E2: a file of 50 MB', { size: 50_000_000 }, { errors: ['file-too-large'] });
  refuses(
    'E2: 50 MB through standard input',
    () => ({ stdin: Buffer.alloc(50_000_000, '- x\n') }),
    { errors: ['file-too-large'] },
  );
  refuses('E2: a device that never ends', { path: '/dev/zero' }, { errors: ['file-too-large'] });
  refuses('E2: 19,000,000 values', () => `[${'0,'.repeat(19e6)}]`, {
    errors: ['file-too-large'],
  });
  refuses('E2: a name of 10 MB', () => spec(`  root: ${'a'.repeat(10e6)}\n  stacks: []\n`), {
    errors: ['5:9 value-range'],
  });
  refuses('E2: a name of 10 MB, almost valid', () => spec(`  root: ${'a-'.repeat(5e6)}\n`), {
    errors: ['5:3 key-missing', '5:9 name-invalid', '5:9 value-range'],
  });
  refuses('E2: 10 MB in double quotes', () => spec(`  root: "${'\\u00e9'.repeat(1.6e6)}"\n`), {
    errors: ['5:3 key-missing', '5:10 name-invalid', '5:10 value-range'],
  });
  refuses('E2: a key of 10 MB', () => spec(`  stacks: []\n  ${'a'.repeat(10e6)}: 1\n`), {
    errors: ['6:3 key-unknown'],
  });
  refuses('E2: a comment of 10 MB after an error', () => `a: 1 # ${'x'.repeat(10e6)}\n`, {
    errors: [...Array(4).fill('1:1 key-missing'), '1:1 key-unknown'],
  });
  refuses('E2: 300,000 values', () => `[${'0,'.repeat(300_000)}]`, { errors: ['1:1 value-type'] });
  refuses(
    'E2: 100,001 applications',
    () => applications(times(100_001, (at) => `name: a${at}`)),
    // As large as a platform can be, so it costs what planning at that size costs, before it is refused.
    { errors: ['6:5 applications-too-many'], bounds: { cpu: 4, memory: 320 } },
  );
});
