// A terminal of a given size with a program in it, and what is on its screen: tmux, started by its own socket.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** A busy machine takes long to start a program. */
const WAIT_MS = 150_000;
const LOOK_MS = 50;

type Sought = string | RegExp;

export class Terminal {
  readonly #folder = mkdtempSync(join(tmpdir(), 'tiphys-terminal-'));

  /** Shows the output of a shell command, then its exit status, and stays open. */
  constructor(
    command: string,
    { columns, rows }: Size,
    environment: Readonly<Record<string, string>>,
  ) {
    const given = Object.entries(environment).map(([name, value]) => `${name}='${value}'`);
    // A CI is no terminal, and the tests are not to be asked about colours.
    const clean = '-u CI -u NO_COLOR -u FORCE_COLOR';
    // Ctrl-C is for the program, not for the shell that tells its end.
    const shown = `trap : INT; env ${clean} ${given.join(' ')} ${command}; echo "exit status $?"; exec cat`;
    const size = ['-x', String(columns), '-y', String(rows)];
    this.#tmux('-f', '/dev/null', 'new-session', '-d', ...size, `sh -c ${quoted(shown)}`);
  }

  /**
   * The screen as soon as it has all of these texts. One of them has to be what the program draws last: the terminal shows what it
   * has received so far.
   */
  screenWith(...texts: readonly Sought[]): Promise<string> {
    return this.#with(texts, 'capture-pane', '-p', '-e');
  }

  /** The same, with lines that the terminal broke in one piece. */
  unbrokenWith(...texts: readonly Sought[]): Promise<string> {
    return this.#with(texts, 'capture-pane', '-p', '-e', '-J');
  }

  async #with(texts: readonly Sought[], ...capture: readonly string[]): Promise<string> {
    const end = performance.now() + WAIT_MS;
    for (;;) {
      const screen = this.#tmux(...capture);
      const missing = texts.find((text) => !has(plain(screen), text));
      if (missing === undefined) return readable(screen);
      if (performance.now() > end) throw new Error(`${missing} is not on the screen:\n${screen}`);
      await sleep(LOOK_MS);
    }
  }

  press(key: string): void {
    this.#tmux('send-keys', key);
  }

  close(): void {
    this.#tmux('kill-server');
    rmSync(this.#folder, { recursive: true });
  }

  #tmux(...args: readonly string[]): string {
    const socket = join(this.#folder, 'socket');
    const env = { ...process.env, LC_ALL: 'C.UTF-8', TMUX: undefined };
    const { stdout, stderr, status, error } = spawnSync('tmux', ['-u', '-S', socket, ...args], {
      encoding: 'utf8',
      env,
    });
    if (error) throw new Error("tmux cannot be started; install Debian's tmux", { cause: error });
    if (status !== 0) throw new Error(`tmux ${args[0]}: ${stderr}`);
    return stdout;
  }
}

const has = (screen: string, text: Sought): boolean =>
  typeof text === 'string' ? screen.includes(text) : text.test(screen);

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for.
const CODE = /\u001b\[([\d;]*)m/;

const plain = (screen: string): string =>
  screen
    .split(CODE)
    .filter((_, at) => at % 2 === 0)
    .join('');

const NAMES: Readonly<Record<string, string>> = {
  1: 'bold',
  2: 'dim',
  31: 'red',
  32: 'green',
  33: 'yellow',
};

const COLORS = ['red', 'green', 'yellow'];

/** Colours as words: `<red>failed</>`. Lines that are empty at the end are left out. */
function readable(screen: string): string {
  const styles = new Set<string>();
  const parts = screen.split(CODE).map((part, at) => {
    if (at % 2 === 0) return styles.size === 0 ? part : inStyle(part, [...styles].join(' '));
    for (const code of part.split(';')) {
      if (/^0?$/.test(code)) styles.clear();
      else if (code === '39') for (const color of COLORS) styles.delete(color);
      // The background is never changed.
      else if (code !== '49') styles.add(NAMES[code] ?? `code ${code}`);
    }
    return '';
  });
  return `${parts.join('').replace(/ +$/gm, '').trimEnd()}\n`;
}

/** Line by line, as a style that goes over the end of one shows nothing there. */
const inStyle = (text: string, style: string): string =>
  text.replace(/[^\n]+/g, (line) => `<${style}>${line}</>`);
