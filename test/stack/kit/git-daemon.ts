// Git repositories of this machine, for pods.
import { spawn } from 'node:child_process';
import { HERE } from '../machine.ts';
import { listens } from '../probe.ts';
import { waitFor } from '../run.ts';

const PORT = 9418;

export interface GitDaemon {
  /** Of a repository below the folder. */
  readonly url: (path: string) => string;
  readonly stop: () => void;
}

export async function serveGit(folder: string): Promise<GitDaemon> {
  const args = [`--listen=${HERE}`, `--port=${PORT}`, `--base-path=${folder}`];
  const child = spawn('git', ['daemon', '--reuseaddr', '--export-all', ...args, folder], {
    stdio: 'ignore',
  });
  await waitFor('the Git daemon', () => listens({ host: HERE, port: PORT }));
  return { url: (path) => `git://${HERE}:${PORT}/${path}`, stop: () => child.kill() };
}
