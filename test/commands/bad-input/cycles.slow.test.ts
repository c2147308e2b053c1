import { describe } from 'vitest';
import { refuses } from './refuse.ts';
import { application, applications, spec, times } from './text.ts';

const ring = (length: number) =>
  applications(times(length, (at) => application(at, `a${(at + 1) % length}`)));

describe('E5: cycles', () => {
  refuses('E5: of one', applications(['{ name: a, dependsOn: [a] }']), {
    errors: ['8:34 reference-self'],
    says: ['"app:a" depends on itself'],
  });
  refuses('E5: of two', ring(2), {
    errors: ['8:35 graph-cycle'],
    says: ['a0 -> a1 -> a0', 'line 9: a1 dependsOn a0'],
  });
  refuses(
    'E5: the shortest of several',
    applications([
      ...times(20, (at) => application(at, `a${(at + 1) % 20}`)),
      '{ name: x, dependsOn: [a3, y] }',
      '{ name: y, dependsOn: [z] }',
      '{ name: z, dependsOn: [x] }',
    ]),
    { errors: ['28:38 graph-cycle'], says: ['x -> y -> z -> x'] },
  );
  refuses(
    'E5: through stacks',
    spec(`  stacks:
    - { name: s, dependsOn: [stack:t], applications: [{ name: a }] }
    - { name: t, applications: [{ name: b, dependsOn: [a] }] }
`),
    { errors: ['6:30 graph-cycle'], says: ['stack:s', 'stack:t', 'a', 'b dependsOn a'] },
  );
  refuses(
    'E5: of two stacks without applications',
    spec(`  stacks:
    - { name: s, dependsOn: [stack:t], applications: [] }
    - { name: t, dependsOn: [stack:s], applications: [] }
`),
    { errors: ['6:30 graph-cycle'], says: ['stack:s -> stack:t -> stack:s'] },
  );
  refuses(
    'E5: on what contains it',
    spec(`  stacks:
    - { name: s, dependsOn: [a, platform], applications: [{ name: a, dependsOn: [stack:s] }] }
`),
    { errors: ['6:30', '6:33', '6:82'].map((at) => `${at} reference-contains`) },
  );
  refuses('E5: of 1,000', ring(1_000), {
    errors: ['8:35 graph-cycle'],
    says: ['a9 -> ... (981 more) ... -> a991'],
  });
  // As large as a platform can be, so it costs what planning at that size costs, before it is refused.
  refuses('E5: of 100,000', () => ring(100_000), {
    errors: ['8:35 graph-cycle'],
    says: ['a9 -> ... (99981 more) ... -> a99991'],
    bounds: { cpu: 16, memory: 640 },
  });
});
