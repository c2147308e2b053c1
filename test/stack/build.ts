// Builds the programs from the pinned Go modules, each module once: its directory in the cache is named after the pins
// and the flags, so that unchanged ones cost nothing. About 25 minutes on two cores the first time.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { binDirectory, type Config } from './config.ts';
import { MODULES, type Module, modulesFor, pinsDirectory, versionOf } from './modules.ts';
import { progress, secondsSince } from './progress.ts';
import { run } from './run.ts';

const BUILD_MS = 60 * 60_000;
const BUILD_ENV = { ...process.env, CGO_ENABLED: '0' }; // Static: the programs also run in images without a system.

/** Where the programs and manifests of a module are, once built. */
export function moduleDirectory(config: Config, name: string): string {
  const module = MODULES.find((one) => one.name === name);
  if (!module) throw new Error(`no module is called '${name}'`);
  return join(config.cache, 'modules', `${name}-${keyOf(module)}`);
}

const keys = new Map<Module, string>();

function keyOf(module: Module): string {
  const known = keys.get(module);
  if (known) return known;
  const hash = createHash('sha256')
    .update(process.arch)
    .update(JSON.stringify(recipe(module)));
  for (const file of ['go.mod', 'go.sum']) {
    hash.update(readFileSync(join(pinsDirectory(module), file)));
  }
  const key = hash.digest('hex').slice(0, 12);
  keys.set(module, key);
  return key;
}

/** All that changes what is built, besides the pins. */
function recipe(module: Module) {
  const variables = Object.entries(module.stamp?.(versionOf(module)) ?? {});
  const stamps = variables.map(([name, value]) => `-X ${name}=${value}`);
  const { programs, link, manifests } = module;
  return { flags: ['-ldflags', ['-s -w', ...stamps].join(' ')], programs, link, manifests };
}

/** Builds what is not in the cache yet. */
export async function build(config: Config): Promise<void> {
  for (const module of modulesFor(config)) {
    const directory = moduleDirectory(config, module.name);
    if (existsSync(directory)) continue;
    const start = performance.now();
    progress(`building ${module.name} ${versionOf(module)}`);
    await rm(`${directory}.part`, { recursive: true, force: true });
    await mkdir(`${directory}.part`, { recursive: true });
    await buildModule(module, `${directory}.part`);
    await rename(`${directory}.part`, directory); // Whole or not there: an interrupted build starts anew.
    progress(`built ${module.name} in ${secondsSince(start)} s`);
  }
}

async function buildModule(module: Module, directory: string): Promise<void> {
  const options = { cwd: pinsDirectory(module), env: BUILD_ENV, timeoutMs: BUILD_MS };
  await run('go', ['mod', 'download', module.path], options);
  const source = (await run('go', ['list', '-m', '-f', '{{.Dir}}', module.path], options)).trim();
  const patched = module.link ? await withLink(module, module.link, source, directory) : [];
  for (const [program, path] of Object.entries(module.programs)) {
    const output = ['-o', join(directory, program)];
    const args = ['build', ...patched, ...recipe(module).flags, ...output, module.path + path];
    await run('go', args, options);
  }
  if (module.manifests) {
    const target = join(directory, 'manifests');
    await cp(join(source, module.manifests), target, { recursive: true });
  }
  await rm(join(directory, 'source'), { recursive: true, force: true });
}

/** Go arguments that build from a copy of the module's source in which the link is there as a file. */
async function withLink(
  module: Module,
  link: { readonly file: string; readonly target: string },
  source: string,
  directory: string,
): Promise<string[]> {
  const copy = join(directory, 'source');
  await cp(source, copy, { recursive: true });
  await cp(join(source, link.target), join(copy, link.file));
  const pins = await readFile(join(pinsDirectory(module), 'go.mod'), 'utf8');
  await writeFile(join(copy, 'stack.mod'), `${pins}\nreplace ${module.path} => ${copy}\n`);
  await cp(join(pinsDirectory(module), 'go.sum'), join(copy, 'stack.sum'));
  return ['-modfile', join(copy, 'stack.mod')];
}

/** One directory with every program, for PATH. */
export async function linkPrograms(config: Config): Promise<void> {
  const bin = binDirectory(config);
  await rm(bin, { recursive: true, force: true });
  await mkdir(bin, { recursive: true });
  for (const module of modulesFor(config)) {
    for (const program of Object.keys(module.programs)) {
      await symlink(join(moduleDirectory(config, module.name), program), join(bin, program));
    }
  }
}
