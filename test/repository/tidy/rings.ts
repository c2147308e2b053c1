// Which way imports may point. Three rings: inside is pure, the edge touches the world, the entrance puts them together.
import { type Import, importsOf, type SourceFile } from './source-file.ts';

interface Folder {
  readonly mayImport: readonly string[];
  readonly packages: readonly string[];
}

const INSIDE = [
  'errors',
  'model',
  'graph',
  'plan',
  'ports',
  'gate',
  'run',
  'report',
  'health',
  'inventory',
  'preflight',
  'bootstrap',
  'import',
  'lint',
  'view',
];
const PURE = ['errors', 'model', 'graph', 'plan', 'ports', 'gate', 'run'];

/** A folder of src, or a file right in it, without its ending. */
export const FOLDERS: Readonly<Record<string, Folder>> = {
  errors: { mayImport: [], packages: [] },
  model: { mayImport: ['errors'], packages: ['js-yaml', 'zod'] },
  graph: { mayImport: [], packages: [] },
  plan: { mayImport: ['errors', 'model', 'graph'], packages: ['node:crypto'] },
  ports: { mayImport: ['model'], packages: [] },
  gate: { mayImport: ['model', 'ports'], packages: [] },
  run: { mayImport: ['errors', 'model', 'graph', 'plan', 'ports', 'gate'], packages: ['croner'] },
  report: { mayImport: PURE, packages: [] },
  health: { mayImport: ['errors', 'model', 'ports'], packages: ['js-yaml', 'zod'] },
  inventory: { mayImport: ['errors', 'model', 'graph', 'plan', 'ports'], packages: ['zod'] },
  preflight: { mayImport: ['errors', 'model', 'ports', 'run'], packages: [] },
  bootstrap: { mayImport: ['errors', 'model', 'ports', 'run'], packages: ['zod'] },
  import: {
    mayImport: ['errors', 'model', 'graph', 'plan', 'ports', 'health'],
    packages: ['js-yaml', 'zod'],
  },
  lint: { mayImport: ['model', 'import'], packages: ['js-yaml'] },
  view: {
    mayImport: [
      ...['errors', 'model', 'graph', 'plan', 'ports', 'gate', 'run', 'report'],
      ...['health', 'inventory', 'preflight', 'bootstrap', 'import', 'lint'],
    ],
    packages: ['diff', 'js-yaml', 'node:crypto'],
  },
  lua: {
    mayImport: ['health', 'ports'],
    packages: [
      ...['node:crypto', 'node:events', 'node:fs/promises', 'node:util'],
      ...['node:worker_threads', 'node:zlib'],
    ],
  },
  targets: {
    mayImport: ['errors', 'model', 'ports', 'preflight'],
    packages: ['undici', 'js-yaml', 'zod', 'node:fs/promises', 'node:net', 'node:path'],
  },
  session: { mayImport: PURE, packages: ['zod', 'node:zlib', 'node:crypto'] },
  node: { mayImport: [...PURE, 'session'], packages: [] },
  engines: {
    mayImport: [...PURE, 'report', 'inventory', 'import', 'session', 'node'],
    packages: [],
  },
  simulator: {
    mayImport: ['model', 'ports', 'targets'],
    packages: ['croner', 'node:http'],
  },
  rehearsal: {
    mayImport: [...PURE, 'report', 'inventory', 'targets', 'engines', 'simulator'],
    packages: ['zod'],
  },
  cli: {
    mayImport: [...INSIDE, 'session', 'engines', 'targets', 'simulator', 'rehearsal'],
    packages: ['commander', 'node:path'],
  },
  executor: {
    mayImport: [...INSIDE, 'session', 'engines', 'targets', 'cli'],
    packages: ['commander'],
  },
  process: {
    mayImport: ['cli', 'health', 'lua'],
    packages: [
      'node:child_process',
      ...['node:crypto', 'node:events', 'node:fs', 'node:os', 'node:path', 'node:url'],
      ...['node:readline', 'node:readline/promises'],
    ],
  },
  main: { mayImport: ['cli', 'errors', 'executor', 'process'], packages: ['node:path'] },
};

export function ringViolations(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => path.startsWith('src/') && !path.endsWith('.test.ts'))
    .flatMap((file) => {
      const folder = folderOf(file.path);
      const rule = FOLDERS[folder];
      if (!rule)
        return [
          `${file.path}: the folder "${folder}" has no place in test/repository/tidy/rings.ts`,
        ];
      return importsOf(file).flatMap((imported) => violation(file.path, folder, rule, imported));
    });
}

function violation(path: string, folder: string, rule: Folder, imported: Import): string[] {
  if (imported.path === undefined) {
    if (rule.packages.includes(imported.specifier)) return [];
    return [`${path}: ${folder} must not import the package "${imported.specifier}"`];
  }
  const target = folderOf(imported.path);
  if (target === folder || rule.mayImport.includes(target)) return [];
  return [`${path}: ${folder} must not import ${target} (${imported.specifier})`];
}

function folderOf(path: string): string {
  return path.split('/')[1]?.replace(/\.ts$/, '') ?? '';
}

/** Every cycle of imports, those of types included, once. */
export function importCycles(files: readonly SourceFile[]): string[] {
  const graph = new Map(
    files.map((file) => [file.path, importsOf(file).flatMap(({ path }) => (path ? [path] : []))]),
  );
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: readonly string[]) => {
    const at = trail.indexOf(path);
    if (at !== -1) cycles.push([...trail.slice(at), path].join(' -> '));
    if (at !== -1 || done.has(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  return cycles;
}
