// `tiphys init` writes where it was told to, and nowhere else.
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { tiphys } from './built-command.ts';

const [folder, elsewhere] = ['tiphys-init-', 'tiphys-elsewhere-'].map((name) =>
  mkdtempSync(join(tmpdir(), name)),
) as [string, string];
afterAll(() => {
  for (const one of [folder, elsewhere]) rmSync(one, { recursive: true });
});

test('a link of that name is a file that is there, also where it leads to nothing', () => {
  const target = join(elsewhere, 'authorized_keys');
  symlinkSync(target, join(folder, 'platform.yaml'));
  const { status, stderr } = tiphys('init', folder);
  expect(stderr).toContain('error[file-exists]');
  expect(status).toBe(3);
  expect(existsSync(target)).toBe(false);
  expect(existsSync(join(folder, 'environment.yaml'))).toBe(false);
});
