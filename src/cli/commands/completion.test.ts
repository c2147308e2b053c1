// The script in a real shell, asked as the shell would ask it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const scratch = mkdtempSync(join(tmpdir(), 'tiphys-completion-'));
mkdirSync(join(scratch, 'my dir'));
writeFileSync(join(scratch, 'platform.yaml'), '');
afterAll(() => rmSync(scratch, { recursive: true }));

/** What bash would offer for the last word. */
function complete(...words: string[]): string[] {
  const line = words.map((word) => `'${word}'`).join(' ');
  const script = `source <("$0" "$1" completion bash)
COMP_WORDS=(tiphys ${line}); COMP_CWORD=${words.length}; _tiphys; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const args = ['-c', script, process.execPath, resolve('dist/main.js')];
  const out = execFileSync('bash', args, { cwd: scratch, encoding: 'utf8' });
  return out.split('\n').filter((word) => word !== '');
}

test.each([
  [['pl'], ['plan']],
  [['plan', 'te'], ['teardown']],
  [['plan', '-o', 'j'], ['json']],
  [['plan', '--with-dependent'], ['--with-dependents']],
  [['plan', '-f', 'pl'], ['platform.yaml']],
  [['plan', '-f', 'my'], ['my dir']],
  [['plan', '--scope', 'p'], []],
  [['init', 'my'], ['my dir']],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish', '-h', '--help'],
  ],
])('tiphys %j', (words, offered) => {
  expect(complete(...words)).toEqual(offered);
});
