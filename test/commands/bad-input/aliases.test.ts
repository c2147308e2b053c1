import { describe } from 'vitest';
import { refuses } from './refuse.ts';
import { spec, times } from './text.ts';

const NINE = Array(9);

describe('E3: aliases', () => {
  refuses(
    'E3: billion laughs',
    `a0: &a0 [${NINE.fill('x').join()}]\n${times(
      9,
      (at) => `a${at + 1}: &a${at + 1} [${NINE.fill(`*a${at}`).join()}]\n`,
    ).join('')}`,
    { errors: ['2:11 yaml-alias'] },
  );
  refuses('E3: 200 plain aliases', `a: &a x\nb: [${Array(200).fill('*a').join()}]\n`, {
    errors: ['2:6 yaml-alias'],
  });
  refuses('E3: a list that contains itself', 'a: &a [*a]\n', { errors: ['1:9 yaml-alias'] });
  refuses('E3: a merge key', 'a: &a {x: 1}\nb:\n  <<: *a\n', { errors: ['3:8 yaml-alias'] });
  refuses(
    'E3: 10,000 merges of one mapping',
    `a: &a {x: 1}\nb: {<<: [${Array(10_000).fill('*a').join()}]}\n`,
    { errors: ['2:11 yaml-alias'] },
  );
  refuses('E3: a merge key without an alias', spec('  <<: {concurrency: 3}\n  stacks: []\n'), {
    errors: ['5:3 key-unknown'],
  });
});
