// Git repositories of this machine over HTTP, by a server that can take its time for what every resolution of a revision asks.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { HERE } from '../machine.ts';
import { answerGit } from './git-backend.ts';
import type { Scratch } from './scratch.ts';

export class SlowGit {
  /** How long it takes to say which revision a branch has. */
  delayMs = 0;
  readonly #folder: string;
  readonly #repository: string;
  readonly #server = createServer(async (request, response) => {
    if (request.url?.includes('/info/refs')) await sleep(this.delayMs);
    answerGit(this.#folder, request, response);
  });

  private constructor(directory: string) {
    this.#folder = dirname(directory);
    this.#repository = basename(directory);
  }

  /** Of the scratch repository, until the test ends. */
  static async start(scratch: Scratch): Promise<SlowGit> {
    const git = new SlowGit(scratch.repository.directory);
    await new Promise<void>((done) => git.#server.listen(0, HERE, done));
    scratch.afterwards(async () => {
      git.#server.close();
      git.#server.closeAllConnections();
    });
    return git;
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://${HERE}:${port}/${this.#repository}/.git`;
  }
}
