import { describe, expect, it } from 'vitest';
import { TiphysError } from '../../../src/errors.ts';
import { compile } from '../../../src/plan/compile.ts';
import { refuses } from './refuse.ts';
import { spec, times } from './text.ts';

const DEEP = 100_000;

const SHAPES: Readonly<Record<string, [text: string, at: string]>> = {
  'open lists': ['['.repeat(DEEP), '1:64'],
  'closed lists': [`${'['.repeat(DEEP)}${']'.repeat(DEEP)}`, '1:64'],
  'flow mappings': ['{a: '.repeat(DEEP), '1:250'],
  'block lists': [`${'- '.repeat(DEEP)}x\n`, '1:129'],
  'mappings as keys': [`${'? '.repeat(DEEP)}x\n`, '1:128'],
  'lists in mappings as keys': [`${'? - '.repeat(DEEP)}x\n`, '1:129'],
};

describe('E4: nesting', () => {
  for (const [shape, [text, at]] of Object.entries(SHAPES)) {
    refuses(`E4: 100,000 deep ${shape}`, text, { errors: [`${at} yaml-too-deep`] });
  }

  // 100,000 levels of indentation would be 5 GB; these are as many as the size allows.
  refuses('E4: block mappings', () => times(8_900, (at) => `${' '.repeat(at)}a:\n`).join(''), {
    errors: ['64:64 yaml-too-deep'],
  });

  refuses('E4: deep inside a file that is fine otherwise', spec(`  stacks: ${'['.repeat(DEEP)}`), {
    errors: ['5:73 yaml-too-deep'],
  });

  refuses(
    'E4: in environment.yaml',
    { platform: spec('  stacks: []\n'), environment: '['.repeat(DEEP) },
    { errors: ['1:64 yaml-too-deep'] },
  );

  it('E4: a process lives through 50 of each', () => {
    for (const [text] of Object.values(SHAPES)) {
      for (let repeat = 0; repeat < 50; repeat++) {
        expect(() => compile({ file: 'platform.yaml', text })).toThrow(TiphysError);
      }
    }
  });
});
