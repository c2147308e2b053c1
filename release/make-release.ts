// What is published of a version: the package, its bill of materials, their checksums, and a signature over these.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { licenceViolations } from './licences.ts';
import { makeSbom, renderSbom } from './sbom.ts';

export const SUMS = 'SHA256SUMS';
/** Signatures for other purposes do not count. */
export const NAMESPACE = 'tiphys-release';

export interface Release {
  readonly files: readonly string[];
  readonly isSigned: boolean;
}

/** `key`: a private key for `ssh-keygen -Y sign`; undefined: nothing is signed. */
export function makeRelease(folder: string, key: string | undefined): Release {
  mkdirSync(folder, { recursive: true });
  const sbom = makeSbom();
  const refused = licenceViolations(sbom);
  if (refused.length > 0) throw new Error(`licences that are not allowed:\n${refused.join('\n')}`);
  const tarball = pack(folder);
  const bill = tarball.replace(/\.tgz$/, '.cdx.json');
  writeFileSync(join(folder, bill), renderSbom(sbom));
  const files = [tarball, bill];
  const sums = files.map((name) => `${checksum(join(folder, name))}  ${name}\n`).join('');
  writeFileSync(join(folder, SUMS), sums);
  if (key !== undefined) {
    const args = ['-Y', 'sign', '-q', '-f', key, '-n', NAMESPACE, join(folder, SUMS)];
    execFileSync('ssh-keygen', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  }
  return { files: [...files, SUMS], isSigned: key !== undefined };
}

/** What is in dist: it is built before. */
export function pack(folder: string, from = '.'): string {
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  return execFileSync('npm', args, {
    ...{ cwd: from, encoding: 'utf8' },
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}

const checksum = (path: string): string =>
  createHash('sha256').update(readFileSync(path)).digest('hex');
