// The script in a real shell, asked as the shell would ask it.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const scratch = mkdtempSync(join(tmpdir(), 'tiphys-completion-'));
mkdirSync(join(scratch, 'my dir'));
const applications = '[{name: db}, {name: db-backup}]';
writeFileSync(
  join(scratch, 'platform.yaml'),
  `spec: {stacks: [{name: data, applications: ${applications}}, {name: web}]}`,
);
writeFileSync(join(scratch, 'my dir', 'platform.yaml'), 'spec: {stacks: [{name: other}]}');
writeFileSync(
  join(scratch, 'kubeconfig'),
  'contexts: [{name: "arn:aws:a", context: {}}, {name: "$(touch pwned)", context: {}}]',
);
afterAll(() => rmSync(scratch, { recursive: true }));

/** The program gives up after a second, which a busy machine may need to start it: its second is longer here. */
const SLOW_CLOCK = `data:text/javascript,${encodeURIComponent(
  'const { setTimeout: after } = globalThis; globalThis.setTimeout = (call, ms, ...rest) => after(call, ms * 60, ...rest);',
)}`;

/** What bash would offer for the last word. */
function complete(...words: string[]): string[] {
  const line = words.map((word) => `'${word}'`).join(' ');
  // As the shell does outside of a test: the program on the path, and an option that can be changed.
  const script = `tiphys() { "$node" --import "$clock" "$main" "$@"; }; compopt() { :; }
node="$0" main="$1" clock="$2"; source <(tiphys completion bash)
COMP_WORDS=(tiphys ${line}); COMP_CWORD=${words.length}; _tiphys; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const args = ['-c', script, process.execPath, resolve('dist/main.js'), SLOW_CLOCK];
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
  [['plan', '--scope', 'p'], ['platform']],
  [['init', 'my'], ['my dir']],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish', '-h', '--help', '--color'],
  ],
  [
    ['plan', '--scope', ''],
    ['platform', 'stack:data', 'stack:web', 'app:db', 'app:db-backup'],
  ],
  // As bash splits app:db- and --scope=stack:w, and as zsh and fish do not.
  [['plan', '--scope', 'app', ':', 'db-'], ['db-backup']],
  [['plan', '--scope', '=', 'stack', ':', 'w'], ['web']],
  [
    ['plan', '--scope', 'app', ':', ''],
    ['db', 'db-backup'],
  ],
  [['plan', '-f', 'my dir/platform.yaml', '--scope', 'stack', ':', ''], ['other']],
  [['explain', 'db-'], ['db-backup']],
  [['explain', '--o'], ['--output']],
  [['plan', '--output', '=', 'j'], ['json']],
  [['rehearse', '--fault', 'app', ':', 'db\\ deg'], ['db\\ degraded']],
  [['rehearse', '--fault', '"app:db deg'], ['app:db degraded']],
  [['status', '--kubeconfig', 'kubeconfig', '--context', ''], ['arn:aws:a']],
  [['status', '--kubeconfig', 'kubeconfig', '--context', 'arn', ':', 'aws', ':'], ['a']],
  [['explain', 'nothing'], []],
])('tiphys %j', (words, offered) => {
  expect(complete(...words)).toEqual(offered);
});

test('a script says nothing where there is no program', () => {
  const script = `source <("$0" "$1" completion bash); PATH=
COMP_WORDS=(tiphys explain ''); COMP_CWORD=2; _tiphys; printf '%s' "\${COMPREPLY[@]}"`;
  const args = ['-c', script, process.execPath, resolve('dist/main.js'), SLOW_CLOCK];
  expect(spawnSync('bash', args, { cwd: scratch, encoding: 'utf8' })).toMatchObject({
    ...{ stdout: '', stderr: '' },
  });
});
