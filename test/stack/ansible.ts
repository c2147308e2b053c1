// Ansible as bootstrap/requirements.txt pins it, in a place of its own in the cache.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { progress } from './progress.ts';
import { run } from './run.ts';

const REQUIREMENTS = join(import.meta.dirname, '..', '..', 'bootstrap', 'requirements.txt');
const INSTALL_MS = 10 * 60_000;

/** The folder to put on PATH. */
export async function ansiblePath(config: Config): Promise<string> {
  const place = await placeOf(config);
  if (!existsSync(join(place, 'done'))) {
    progress('installing Ansible');
    await rm(place, { recursive: true, force: true });
    await run('python3', ['-m', 'venv', place]);
    const pip = join(place, 'bin', 'pip');
    await run(pip, ['install', '--quiet', '-r', REQUIREMENTS], { timeoutMs: INSTALL_MS });
    await writeFile(join(place, 'done'), '');
  }
  return join(place, 'bin');
}

/** The same, for those who do not need it so much that they would wait for its installation. */
export async function installedAnsible(config: Config): Promise<string | undefined> {
  const place = await placeOf(config);
  return existsSync(join(place, 'done')) ? join(place, 'bin') : undefined;
}

async function placeOf({ cache }: Config): Promise<string> {
  const pins = await readFile(REQUIREMENTS);
  return join(cache, 'ansible', createHash('sha256').update(pins).digest('hex').slice(0, 12));
}
