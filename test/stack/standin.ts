// Builds the stand-in workload (standin/): one small static program, rebuilt when its sources change.

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from './config.ts';
import { run } from './run.ts';

export const STANDIN_SOURCE = join(import.meta.dirname, 'standin');

/** The path of the program, in a directory named after its sources. */
export async function standin(config: Config): Promise<string> {
  const sum = createHash('sha256').update(process.arch);
  for (const name of (await readdir(STANDIN_SOURCE)).sort()) {
    sum.update(name).update(await readFile(join(STANDIN_SOURCE, name)));
  }
  const key = sum.digest('hex').slice(0, 12);
  const program = join(config.cache, 'modules', `standin-${key}`, 'standin');
  if (existsSync(program)) return program;
  await mkdir(dirname(program), { recursive: true });
  const args = ['build', '-trimpath', '-ldflags', '-s -w', '-o', `${program}.part`, '.'];
  const env = { ...process.env, CGO_ENABLED: '0' };
  await run('go', args, { cwd: STANDIN_SOURCE, env, timeoutMs: 600_000 });
  await rename(`${program}.part`, program);
  return program;
}
