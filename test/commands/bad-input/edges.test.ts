import { describe } from 'vitest';
import { refuses } from './refuse.ts';
import { application, applications, spec, times } from './text.ts';

const names = (count: number) => times(count, (at) => `a${at}`);

describe('E10: many edges', () => {
  refuses(
    'E10: 1,001 dependencies of an application',
    applications([
      ...names(1_001).map((name) => `name: ${name}`),
      application(1_001, ...names(1_001)),
    ]),
    { errors: ['1009:37 dependencies-too-many'], says: ['1001', '1000', 'stack:NAME'] },
  );
  refuses(
    'E10: 1,001 dependencies of a stack',
    spec(`  stacks: [{ name: s, dependsOn: [${names(1_001).join(', ')}], applications: [] }]\n`),
    { errors: ['5:34 dependencies-too-many'] },
  );
  refuses(
    'E10: the same dependency 1,001 times',
    applications(['name: a0', application(1, ...Array<string>(1_001).fill('a0'))]),
    { errors: ['9:34 dependencies-too-many'] },
  );
  refuses(
    'E10: 100 applications with 10,000 dependencies each',
    applications(times(100, (at) => application(at, ...names(10_000)))),
    {
      errors: ['8:34 dependencies-too-many', '9:34 dependencies-too-many'],
      more: 98,
      // A million values: what is read is what it costs.
      bounds: { cpu: 7, memory: 640 },
    },
  );
  refuses(
    'E10: 10,000 applications with 10,000 dependencies each',
    () => ({ size: 10_000 * 10_000 * 'a, '.length }),
    { errors: ['file-too-large'] },
  );
});
