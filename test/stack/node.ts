// The Node.js of the executor's image: of the line that the Dockerfile names, as npm has it, whatever this machine runs.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { Failure } from './failure.ts';
import { progress } from './progress.ts';
import { run } from './run.ts';

export const NODE_VERSION = '24.21.0';
const SHA512: Readonly<Record<string, string>> = {
  x64: '3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  arm64: 'FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
};
const FETCH_MS = 10 * 60_000;
const PROGRAM = join('package', 'bin', 'node');

/** The program, in the cache. */
export async function imageNode({ cache }: Config): Promise<string> {
  const place = join(cache, 'node', NODE_VERSION);
  if (!existsSync(join(place, 'done'))) {
    progress(`fetching Node.js ${NODE_VERSION}`);
    await rm(place, { recursive: true, force: true });
    await mkdir(place, { recursive: true });
    await fetchInto(place);
    await writeFile(join(place, 'done'), '');
  }
  return join(place, PROGRAM);
}

async function fetchInto(place: string): Promise<void> {
  const name = `node-linux-${process.arch}`;
  const args = ['pack', `${name}@${NODE_VERSION}`, '--silent', '--pack-destination', place];
  await run('npm', args, { timeoutMs: FETCH_MS });
  const archive = join(place, `${name}-${NODE_VERSION}.tgz`);
  const sum = createHash('sha512')
    .update(await readFile(archive))
    .digest('base64');
  if (sum !== SHA512[process.arch])
    throw new Failure(`${archive} is not the one whose checksum is in test/stack/node.ts`);
  await run('tar', ['-xzf', archive, '-C', place, PROGRAM]);
  await rm(archive);
}
