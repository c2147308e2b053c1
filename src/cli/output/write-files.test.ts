import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { codeOf } from '../../../test/fakes/failure.ts';
import { processIo as io } from '../../process.ts';
import { refusePresent, writeNew } from './write-files.ts';

const scratch = mkdtempSync(join(tmpdir(), 'tiphys-write-'));
afterAll(() => rmSync(scratch, { recursive: true }));

function codeFrom(work: () => void): string | undefined {
  try {
    work();
  } catch (error) {
    return codeOf(error);
  }
  return undefined;
}

test('a file that came into being meanwhile is not overwritten', () => {
  const path = join(scratch, 'a.yaml');
  writeFileSync(path, 'theirs');
  expect(codeFrom(() => writeNew(io, path, 'ours', ''))).toBe('file-exists');
  expect(readFileSync(path, 'utf8')).toBe('theirs');
});

test('neither is what a link leads to, or would lead to', () => {
  const [there, nowhere] = [join(scratch, 'there'), join(scratch, 'nowhere')];
  writeFileSync(there, 'theirs');
  for (const target of [there, nowhere]) {
    const link = join(scratch, `link-${target.length}`);
    symlinkSync(target, link);
    expect(codeFrom(() => writeNew(io, link, 'ours', ''))).toBe('file-exists');
    expect(codeFrom(() => refusePresent(io, [{ path: link }], ''))).toBe('file-exists');
  }
  expect(readFileSync(there, 'utf8')).toBe('theirs');
  expect(() => readFileSync(nowhere)).toThrow('ENOENT');
});

test('a new one is written, with its folders', () => {
  const path = join(scratch, 'x', 'y', 'b.yaml');
  writeNew(io, path, 'ours', '');
  expect(readFileSync(path, 'utf8')).toBe('ours');
});

test('where nothing can be written', () => {
  const path = join(scratch, 'a.yaml', 'below-a-file.yaml');
  expect(codeFrom(() => writeNew(io, path, 'ours', ''))).toBe('file-unwritable');
});
