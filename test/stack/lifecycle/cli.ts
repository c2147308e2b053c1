// Runs the entrance as a person would, in a process of its own.

import { spawn } from 'node:child_process';
import { join } from 'node:path';

interface Result {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface CliOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly uid?: number;
}

const ROOT = join(import.meta.dirname, '..', '..', '..');

export function stackCommand(args: readonly string[], options: CliOptions = {}): Promise<Result> {
  return new Promise((resolve, reject) => {
    const entrance = join(ROOT, 'test', 'stack', 'main.ts');
    const child = spawn(process.execPath, ['--import', 'tsx', entrance, ...args], {
      cwd: ROOT,
      env: options.env ?? process.env,
      timeout: 170_000,
      ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (text) => {
      stdout += text;
    });
    child.stderr.on('data', (text) => {
      stderr += text;
    });
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, stdout, stderr }));
  });
}
