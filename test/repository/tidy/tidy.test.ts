// The rules of the project, executable. Each rule is also run on a planted violation, to prove that it bites.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { SETTABLE } from '../../../src/cli/commands/config.ts';
import { VARIABLES } from '../../../src/cli/defaults/variables.ts';
import type { Cluster } from '../../../src/ports/target.ts';
import type { Session } from '../../../src/session/session.ts';
import { ambientViolations } from './ambient.ts';
import { doorViolations } from './door.ts';
import { outputViolations } from './output.ts';
import { FOLDERS, importCycles, ringViolations } from './rings.ts';
import { leftovers, sizeViolations } from './size.ts';
import type { SourceFile } from './source-file.ts';
import { variableViolations } from './variables.ts';

const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
  encoding: 'utf8',
});
const files: SourceFile[] = tracked
  .split('\n')
  .filter((path) => /^(?:src|test|bench|lua)\/.*\.ts$/.test(path))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

const planted = (path: string, text: string): SourceFile[] => [{ path, text }];

test('the rules look at the whole tree', () => {
  expect(files.filter(({ path }) => path.startsWith('src/')).length).toBeGreaterThan(35);
});

describe('imports point inward', () => {
  test('in this tree', () => expect(ringViolations(files)).toEqual([]));

  test.each([
    ['a folder further out', 'src/graph/a.ts', "import type { Plan } from '../plan/plan.ts';"],
    ['the entrance', 'src/plan/a.ts', "import { runCli } from '../cli/run.ts';"],
    ['a package that is not its own', 'src/graph/a.ts', "import { z } from 'zod';"],
    ['files', 'src/model/a.ts', "import { readFileSync } from 'node:fs';"],
    ['through a dynamic import', 'src/view/a.ts', "await import('../cli/run.ts');"],
    ['an unknown folder', 'src/misc/a.ts', ''],
  ])('bites on %s', (_, path, text) => {
    expect(ringViolations(planted(path, text))).toHaveLength(1);
  });
});

describe('no cycle of imports', () => {
  test('in this tree', () => expect(importCycles(files)).toEqual([]));

  test('bites on a cycle through a type', () => {
    const two = [
      ...planted('src/plan/a.ts', "import { b } from './b.ts';"),
      ...planted('src/plan/b.ts', "import type { A } from './a.ts';"),
    ];
    expect(importCycles(two)).toEqual(['src/plan/a.ts -> src/plan/b.ts -> src/plan/a.ts']);
  });
});

describe('nothing changes the cluster but through the door', () => {
  test('in this tree', () => expect(doorViolations(files)).toEqual([]));

  test.each([
    [
      'a write outside of it',
      'engines/a.ts',
      'await target.applications.requestSync(address, it);',
    ],
    ['a deletion outside of it', 'cli/a.ts', 'await target.objects.remove(resource, uid);'],
    ['a Job that is made elsewhere', 'node/a.ts', 'await target.probes.create(request);'],
    ['a hold that is written elsewhere', 'session/hold/a.ts', 'projects.update(project, change);'],
    ['a record that is written elsewhere', 'engines/a.ts', 'await store.put(text, () => true);'],
    ['a Cluster that is opened', 'node/a.ts', 'const target = cluster as Target;'],
    ['the door taken off', 'engines/a.ts', 'const { applications } = rawPorts(cluster);'],
    ['a write that skips the hold', 'engines/a.ts', 'session.writes({ held: async () => {} });'],
    [
      'a write that skips dependencies',
      'engines/a.ts',
      'session.writes({ dependenciesReady: async () => {} });',
    ],
    ['a door that does not wait', 'session/writes/writes.ts', 'return this.#raw.objects.get(x);'],
    ['a second builder of a session', 'engines/a.ts', 'const session = new Session(parts);'],
    ['a Lease of its own', 'engines/a.ts', 'const lease = new Lease(parts);'],
  ])('bites on %s', (_, path, code) => {
    expect(doorViolations(planted(`src/${path}`, code))).toHaveLength(1);
  });

  test('what does not wait for all of it does not compile', () => {
    const planted = [
      // @ts-expect-error A Cluster cannot be written.
      (cluster: Cluster) => cluster.applications.requestSync,
      // @ts-expect-error It makes no Jobs.
      (cluster: Cluster) => cluster.probes.create,
      // @ts-expect-error It cannot delete either.
      (cluster: Cluster) => cluster.objects.remove,
      (session: Session, dependenciesReady: () => Promise<void>, signal: AbortSignal) =>
        // @ts-expect-error Without the hold.
        session.writes({ dependenciesReady, signal }),
      (session: Session, held: () => Promise<void>, signal: AbortSignal) =>
        // @ts-expect-error Without the dependencies.
        session.writes({ held, signal }),
      (session: Session, held: () => Promise<void>) =>
        // @ts-expect-error Without the signal.
        session.writes({ held, dependenciesReady: held }),
    ];
    expect(planted).toHaveLength(6);
  });
});

describe('nothing ambient', () => {
  test('in this tree', () => expect(ambientViolations(files)).toEqual([]));

  test.each([
    'process.env.HOME',
    'console.log(1)',
    'new Date()',
    'performance.now()',
    'setTimeout(f, 1)',
    'Math.random()',
    "fetch('http://x')",
    "'a'.localeCompare('b')",
    "new Function('')",
  ])('bites on %s', (code) => {
    expect(ambientViolations(planted('src/plan/a.ts', `const x = ${code};`))).toHaveLength(1);
  });

  test('comments and text do not count', () => {
    const text = "// the Date\nconst x = 'process'; /* console */\n";
    expect(ambientViolations(planted('src/plan/a.ts', text))).toEqual([]);
  });
});

describe('every variable that is read is declared', () => {
  const declared = {
    table: [...VARIABLES.map(([name]) => name), ...SETTABLE.map(({ variable }) => variable)],
    executor: readFileSync('docs/executor.md', 'utf8'),
  };

  test('in this tree', () => expect(variableViolations(files, declared)).toEqual([]));

  test('what is declared is read, or asked for by its name', () => {
    const source = files.filter(
      ({ path }) => path.startsWith('src/') && path !== 'src/cli/defaults/variables.ts',
    );
    const read = source.map(({ text }) => text).join('');
    expect(VARIABLES.map(([name]) => name).filter((name) => !read.includes(name))).toEqual([]);
  });

  test.each([
    ['a variable', 'src/cli/a.ts', "io.environment('TIPHYS_YES')"],
    ['one of another program', 'src/targets/a.ts', "environment('ARGOCD_SERVER')"],
    ['a name that is put together', 'src/targets/a.ts', 'environment(`TIPHYS_' + '$' + '{name}`)'],
    ['a name from elsewhere', 'src/cli/a.ts', 'io.environment(name)'],
    ['one that only the executor has', 'src/cli/a.ts', "io.environment('PV_POLICY')"],
    ['one of the executor', 'src/executor/a.ts', "variables.text('SKIP_CHECKS')"],
    ['the process', 'src/process.ts', 'const fast = process.env.TIPHYS_FAST;'],
  ])('bites on %s', (_, path, code) => {
    expect(variableViolations(planted(path, code), declared)).toHaveLength(1);
  });
});

describe('what people read passes through one function', () => {
  test('in this tree', () => expect(outputViolations(files)).toEqual([]));

  test.each([
    ['a line of its own', 'src/view/a.ts', 'return `message\\n`;'],
    ['lines that it joins', 'src/view/a.ts', "return lines.join('\\n');"],
    ['a template over two lines', 'src/view/a.ts', 'return `$' + '{a}\n`;'],
    ['a line of a command', 'src/cli/plan/a.ts', 'io.stdout(`message\\n`);'],
    ['JSON of a command', 'src/cli/a.ts', 'io.stdout(JSON.stringify(report));'],
    ['a line of the log', 'src/executor/a.ts', 'return `message\\n`;'],
    ['a colour', 'src/view/a.ts', 'return `\\u001b[31m`;'],
    ['text between tags', 'src/view/import/a.ts', 'return `<td>$' + '{name}</td>`;'],
    ['an attribute', 'src/cli/a.ts', 'return `<a href="$' + '{where}">x</a>`;'],
    ['tags that are joined', 'src/view/a.ts', "return '<b>' + name;"],
    ['a colour of the platform', 'src/cli/a.ts', "import { styleText } from 'node:util';"],
  ])('bites on %s', (_, path, text) => {
    expect(outputViolations(planted(path, text))).toHaveLength(1);
  });

  test('what is escaped between tags does not count, nor a constant', () => {
    const text = 'return `<a b="$' + '{escapeHtml(c)}"><style>$' + '{STYLE}</style>`;';
    expect(outputViolations(planted('src/view/a.ts', text))).toEqual([]);
  });

  test('comments and single words do not count', () => {
    const text = '// ends in \\n\nio.stdout(renderLines([message]));\n';
    expect(outputViolations(planted('src/cli/a.ts', text))).toEqual([]);
  });
});

describe('small and finished', () => {
  test('in this tree', () => expect([...sizeViolations(files), ...leftovers(files)]).toEqual([]));

  test('bites on a long file', () => {
    expect(sizeViolations(planted('src/a.ts', '\n'.repeat(301)))).toHaveLength(1);
  });

  test('bites on a leftover', () => {
    expect(leftovers(planted('src/a.ts', `// ${'TO'}${'DO'}: later`))).toHaveLength(1);
  });
});

test('every folder of the table is there', () => {
  const folders = new Set(files.map(({ path }) => path.split('/')[1]?.replace(/\.ts$/, '')));
  expect(Object.keys(FOLDERS).filter((folder) => !folders.has(folder))).toEqual([]);
});
