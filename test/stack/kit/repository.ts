// A scratch Git repository that Argo CD reads by its file:// address.

import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { run } from '../run.ts';

/** Text as it is, an object or a list of objects as manifests; null removes the file. */
export type Files = Readonly<Record<string, string | object | readonly object[] | null>>;

export class Repository {
  readonly directory: string;

  private constructor(directory: string) {
    this.directory = directory;
  }

  static async create(directory: string): Promise<Repository> {
    await mkdir(directory, { recursive: true });
    const repository = new Repository(directory);
    await repository.#git('init', '--quiet', '--initial-branch=main');
    await repository.#git('config', 'user.name', 'test');
    await repository.#git('config', 'user.email', 'test@localhost');
    return repository;
  }

  get url(): string {
    return `file://${this.directory}`;
  }

  /** Commits the files on main and returns the new revision. */
  async commit(files: Files, message = 'change'): Promise<string> {
    for (const [path, content] of Object.entries(files)) {
      const file = join(this.directory, path);
      await mkdir(dirname(file), { recursive: true });
      if (content === null) await rm(file, { force: true });
      else await writeFile(file, typeof content === 'string' ? content : manifests(content));
    }
    await this.#git('add', '--all');
    await this.#git('commit', '--quiet', '--allow-empty', '--message', message);
    return this.revision();
  }

  async revision(): Promise<string> {
    return (await this.#git('rev-parse', 'HEAD')).trim();
  }

  #git(...args: string[]): Promise<string> {
    return run('git', ['-C', this.directory, ...args]);
  }
}

/** One YAML document each; JSON is YAML. */
function manifests(content: object | readonly object[]): string {
  const all = Array.isArray(content) ? content : [content];
  return all.map((one) => JSON.stringify(one, undefined, 2)).join('\n---\n');
}
