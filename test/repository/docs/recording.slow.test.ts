// The picture at the top of README.md is what a rehearsal shows now. `npm run recording` makes it anew.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { COLUMNS, type Frame } from '../../../website/recording/record.ts';
import { FILE, rehearsalSvg, startArguments } from '../../../website/recording/rehearsal.ts';
import { Terminal } from '../../../website/recording/terminal.ts';

const textOf = (frame: Frame | undefined) =>
  (frame?.rows ?? []).map((row) => row.map(({ text }) => text).join(''));

describe(FILE, () => {
  const shipped = readFileSync(FILE, 'utf8');
  let now: Awaited<ReturnType<typeof rehearsalSvg>>;
  beforeAll(async () => {
    now = await rehearsalSvg();
  });

  test('is a recording of the program as it is', () => {
    expect(now.exitStatus).toBe(0);
    expect(now.svg === shipped, 'it is stale: run `npm run recording`').toBe(true);
  });

  test('planted: a rehearsal with another seed gives another one', async () => {
    const { svg } = await rehearsalSvg(['--seed', '2']);
    expect(svg).not.toBe(shipped);
  });

  test('ends with what `npm start` prints last', () => {
    const { stdout } = spawnSync(process.execPath, ['dist/main.js', ...startArguments()], {
      encoding: 'utf8',
      env: { ...process.env, npm_lifecycle_event: 'start' },
    });
    const terminal = new Terminal(COLUMNS);
    terminal.write(stdout);
    const last = textOf(now.frames.at(-1));
    expect(last.join('\n')).toContain('Critical path:');
    // The program breaks long lines only on a terminal.
    const words = (lines: readonly string[]) => lines.join(' ').split(/\s+/);
    expect(words(last)).toEqual(words(textOf({ at: 0, rows: terminal.screen(last.length) })));
  });

  test('shows progress before that', () => {
    expect(now.frames.length).toBeGreaterThan(10);
    expect(textOf(now.frames[5]).join('\n')).toMatch(/^\d+ of 43 healthy, \d+ in progress, about/m);
  });

  test('has no script, and asks no other place for anything', () => {
    expect(shipped).not.toMatch(/<script|<foreignObject|@import|url\(|@font-face|on\w+=/i);
    expect(
      [...shipped.matchAll(/(?:href|src)="([^"]*)"/g)].filter(([, at]) => !at?.startsWith('#')),
    ).toEqual([]);
    expect(shipped.match(/https?:[^"]*/g)).toEqual(['http://www.w3.org/2000/svg']);
    expect(shipped).toContain('prefers-color-scheme:dark');
  });
});

describe('the terminal of the recording', () => {
  const shown = (text: string, rows = 9) => {
    const terminal = new Terminal(10);
    terminal.write(text);
    return textOf({ at: 0, rows: terminal.screen(rows) });
  };

  test('breaks long lines, and shows the last ones', () => {
    expect(shown('a\n0123456789ab\nc', 3)).toEqual(['0123456789', 'ab', 'c']);
  });

  test('erases upwards', () => {
    expect(shown('kept\nold\nold\n\u001b[2F\u001b[0Jnew\n')).toEqual(['kept', 'new', '']);
  });

  test('keeps styles until they end', () => {
    const terminal = new Terminal(10);
    terminal.write('\u001b[1;31ma\u001b[22mb\u001b[0mc');
    expect(terminal.screen(1)).toEqual([
      [
        { text: 'a', codes: [1, 31] },
        { text: 'b', codes: [31] },
        { text: 'c', codes: [] },
      ],
    ]);
  });

  test('refuses what it does not know, instead of showing something else', () => {
    expect(() => shown('\u001b[5G')).toThrow('does not know');
  });
});
