// A program of `.ci/` whose commands are small programs that leave what a test wants.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a command leaves, in its report or on stdout; undefined: nothing. */
export interface Left {
  readonly text: string | undefined;
  readonly status: number;
}

/** Of `npm ci` and `npm run --silent SCRIPT`, without anything to count. */
const UNCOUNTED = ['ci', 'stack -- packages', 'lua:check'];
const NOT_EXPECTED = 99;

const fileOf = (command: string): string => command.replace(/[^A-Za-z0-9]/g, '_');

/** A command is known by its npm script and arguments. Seeds begin elsewhere every day. */
const npmIn = (folder: string): string => `for last; do :; done
case "$last" in
  --outputFile.json=*) file=\${last#--outputFile.json=} ;;
  *) file=/dev/stdout ;;
esac
command=$(printf %s "$*" | sed 's/^run //; s/^--silent //; s/ -- --reporter.*//; s/ --from [0-9]*//')
name=${folder}/$(printf %s "$command" | tr -c 'A-Za-z0-9' _)
[ -f "$name.status" ] || { echo "npm $* is not expected" >&2; exit ${NOT_EXPECTED}; }
[ ! -f "$name" ] || cat "$name" > "$file"
exit "$(cat "$name.status")"
`;

/** Of Debian: every package is installed, or none is and none can be. */
const DEBIAN = (isInstalled: boolean) => ({
  'dpkg-query': isInstalled ? 'echo installed' : 'exit 1',
  'apt-get': 'echo "apt-get $*: not now" >&2; exit 100',
});

/** Its last line, its status, and what it says of failures. */
export function runCi(
  program: string,
  commands: Readonly<Record<string, Left>>,
  { installed = true } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'tiphys-ci-'));
  try {
    const uncounted = UNCOUNTED.map((name) => [name, { text: undefined, status: 0 }] as const);
    for (const [command, { text, status }] of [...uncounted, ...Object.entries(commands)]) {
      if (text !== undefined) writeFileSync(join(folder, fileOf(command)), text);
      writeFileSync(join(folder, `${fileOf(command)}.status`), String(status));
    }
    const programs = join(folder, 'bin');
    mkdirSync(programs);
    const scripts = { npm: npmIn(folder), ...DEBIAN(installed) };
    for (const [name, text] of Object.entries(scripts)) {
      writeFileSync(join(programs, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    }
    const env = { ...process.env, PATH: `${programs}:${process.env.PATH}`, TMPDIR: folder };
    const { stdout, stderr, status } = spawnSync(program, { env, encoding: 'utf8' });
    return { last: stdout.trimEnd().split('\n').at(-1), status, stderr };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
