// Runs a program to its end. No shell: arguments are passed as they are.

import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from './failure.ts';
import { interruption } from './interrupt.ts';

interface RunOptions {
  readonly input?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly timeoutMs?: number;
}

/** Resolves with stdout; rejects with the end of stderr when the program fails. */
export function run(program: string, args: string[], options: RunOptions = {}): Promise<string> {
  const signal = interruption();
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: ['pipe', 'pipe', 'pipe'],
      signal,
      timeout: options.timeoutMs ?? 120_000,
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr = (stderr + text).slice(-8000);
    });
    child.stdin.on('error', () => {}); // A program that ends early closes its input.
    child.stdin.end(options.input ?? '');
    child.on('error', (error) => reject(signal.aborted ? signal.reason : error));
    child.on('close', (code, ending) => {
      if (code === 0) return resolve(stdout);
      const how = ending ? `was ended by ${ending}` : `ended with status ${code}`;
      reject(new Failure(`'${[program, ...args].join(' ')}' ${how}\n${stderr.trimEnd()}`));
    });
  });
}

export interface WaitOptions {
  readonly timeoutMs?: number;
  readonly intervalMs?: number;
}

/** Asks until the answer is not undefined or false. An error that is thrown ends the wait. */
export async function waitFor<T>(
  what: string,
  ask: () => Promise<T | undefined | false> | T | undefined | false,
  { timeoutMs = 120_000, intervalMs = 200 }: WaitOptions = {},
): Promise<T> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    interruption().throwIfAborted();
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() > end)
      throw new Failure(`waited ${timeoutMs / 1000} s in vain for ${what}`);
    await sleep(intervalMs);
  }
}
