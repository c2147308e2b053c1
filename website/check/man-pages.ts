// What groff says against the man pages.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const manPages = (): (readonly [path: string, text: string])[] =>
  readdirSync('man').map((name) => {
    const path = join('man', name);
    return [path, readFileSync(path, 'utf8')];
  });

export function manProblems(text: string): string[] {
  const { stderr, status, error } = spawnSync('groff', ['-man', '-ww', '-z', '-Tutf8'], {
    input: text,
    encoding: 'utf8',
  });
  if (error) return [`groff cannot be run: ${error.message}`];
  const said = stderr.split('\n').filter((line) => line !== '');
  return status === 0 ? said : [...said, `groff ended with status ${status}`];
}
