// What the processes of a mutation run tell each other, in files of one folder: a process may be ended at any time.
import { appendFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** One line for each mutant that a test noticed: all processes share it, so that no mutant is tried further. */
export class LineLog {
  readonly #path: string;

  constructor(folder: string, name: string) {
    this.#path = join(folder, name);
  }

  add(lines: readonly string[]): void {
    if (lines.length > 0) appendFileSync(this.#path, lines.map((line) => `${line}\n`).join(''));
  }

  read(): readonly string[] {
    return textOf(this.#path)?.split('\n').filter(Boolean) ?? [];
  }
}

/** What a process is trying now; the parent process ends it when this does not change for long. */
export class Current {
  readonly #path: string;

  constructor(folder: string, shard: string) {
    this.#path = join(folder, `current-${shard}`);
  }

  /** The mutant; `hangs` asks to be ended. */
  set(mutant: string, hangs = false): void {
    writeFileSync(this.#path, hangs ? `${mutant} hangs` : mutant);
  }

  clear(): void {
    rmSync(this.#path, { force: true });
  }

  get(): { readonly mutant: string; readonly hangs: boolean; readonly since: number } | undefined {
    const [mutant, hangs] = textOf(this.#path)?.split(' ') ?? [];
    if (!mutant) return undefined;
    return { mutant, hangs: hangs !== undefined, since: statSync(this.#path).mtimeMs };
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
