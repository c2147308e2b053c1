// A release is the same bytes wherever it is made, and whoever has the public key can tell it from another one.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { makeRelease, NAMESPACE, pack, SUMS } from '../../release/make-release.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const scratch = mkdtempSync(join(tmpdir(), 'tiphys-release-'));
afterAll(() => rmSync(scratch, { recursive: true }));
const folder = join(scratch, 'release');
const key = (name: string) => join(scratch, name);
let files: readonly string[] = [];

beforeAll(() => {
  for (const name of ['key', 'other']) {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', key(name)]);
  }
  writeFileSync(key('signers'), `releases@tiphys ${readFileSync(key('key.pub'), 'utf8')}`);
  ({ files } = makeRelease(folder, key('key')));
});

/** As SECURITY.md says it. */
function verify(from: string, namespace = NAMESPACE): boolean {
  const who = ['-f', key('signers'), '-I', 'releases@tiphys', '-n', namespace];
  const args = ['-Y', 'verify', ...who, '-s', join(from, `${SUMS}.sig`)];
  const input = readFileSync(join(from, SUMS));
  const signed = spawnSync('ssh-keygen', args, { input });
  const whole = spawnSync('sha256sum', ['--check', '--strict', SUMS], { cwd: from });
  return signed.status === 0 && whole.status === 0;
}

function changed(change: (copy: string) => void): string {
  const copy = mkdtempSync(join(scratch, 'copy-'));
  cpSync(folder, copy, { recursive: true });
  change(copy);
  return copy;
}

test('has the package, its bill of materials and their checksums, signed', () => {
  expect(files).toEqual([
    expect.stringMatching(/^tiphys-.*\.tgz$/),
    expect.stringMatching(/^tiphys-.*\.cdx\.json$/),
    SUMS,
  ]);
  expect(verify(folder)).toBe(true);
});

test.each([0, 1, 2])('is not accepted where file %i was changed', (index) => {
  const copy = changed((at) => appendFileSync(join(at, files[index] ?? ''), ' '));
  expect(verify(copy)).toBe(false);
});

test('is not accepted where somebody else has signed it, or for another purpose', () => {
  const copy = changed((at) => {
    rmSync(join(at, `${SUMS}.sig`));
    const args = ['-Y', 'sign', '-q', '-f', key('other'), '-n', NAMESPACE, join(at, SUMS)];
    execFileSync('ssh-keygen', args, { stdio: 'ignore' });
  });
  expect(verify(copy)).toBe(false);
  expect(verify(folder, 'file')).toBe(false);
});

test('without a key it is not signed, and says so', () => {
  const unsigned = join(scratch, 'unsigned');
  expect(makeRelease(unsigned, undefined)).toMatchObject({ isSigned: false });
  expect(verify(unsigned)).toBe(false);
});

test('the package has the same bytes when it is made again, elsewhere and later', () => {
  const elsewhere = join(scratch, 'elsewhere');
  const { files: shipped } = JSON.parse(readFileSync('package.json', 'utf8'));
  for (const name of [...shipped, 'package.json', 'README.md', 'LICENSE']) {
    cpSync(name, join(elsewhere, name), { recursive: true });
  }
  utimesSync(join(elsewhere, 'dist', 'main.js'), 0, 0);
  const [again, where] = [join(scratch, 'again'), files[0] ?? ''];
  mkdirSync(again);
  expect(pack(again, elsewhere)).toBe(where);
  expect(readFileSync(join(again, where)).equals(readFileSync(join(folder, where)))).toBe(true);
  appendFileSync(join(elsewhere, 'dist', 'main.js'), '\n');
  pack(again, elsewhere);
  expect(readFileSync(join(again, where)).equals(readFileSync(join(folder, where)))).toBe(false);
});
