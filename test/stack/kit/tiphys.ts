// The command as a user calls it, against the stack: the built program, a kubeconfig and a token file, nothing else.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Inventory } from '../../../src/inventory/inventory.ts';
import type { Report } from '../../../src/report/run-report.ts';
import type { RunEvent } from '../../../src/run/events.ts';
import type { Scratch } from './scratch.ts';

const MAIN = resolve('dist/main.js');

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** What was printed so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
}

/** A platform with files of its own. */
export interface Place {
  /** The name of the platform. */
  readonly name: string;
  /** Where its files are, and the command runs. */
  readonly folder: string;
}

export class Tiphys {
  readonly #scratch: Scratch;
  readonly #env: NodeJS.ProcessEnv;
  readonly #name: string;
  readonly folder: string;

  /** `env` is for every command: another kubeconfig, another token. */
  constructor(scratch: Scratch, env: NodeJS.ProcessEnv = {}, place?: Place) {
    if (!existsSync(MAIN)) throw new Error('dist/main.js is missing: npm run build');
    this.#scratch = scratch;
    this.#env = env;
    this.#name = place?.name ?? scratch.name;
    this.folder = place?.folder ?? join(scratch.stack.config.state, 'platforms', scratch.name);
    scratch.afterwards(() => this.#forget());
  }

  /** Lease and record stay in the cluster on purpose; a test leaves nothing. */
  async #forget(): Promise<void> {
    const { stack } = this.#scratch;
    const remove = ['--namespace=argocd', 'delete', '--ignore-not-found'];
    await stack.run('kubectl', ...remove, 'lease', `tiphys-${this.#name}`);
    await stack.run('kubectl', ...remove, 'configmap', '-l', `tiphys.dev/platform=${this.#name}`);
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Writes the platform file: JSON is YAML. */
  async platform(spec: object): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    const file = {
      apiVersion: 'tiphys.dev/v1alpha1',
      kind: 'Platform',
      metadata: { name: this.#scratch.name },
      spec: { argocd: { project: this.#scratch.name }, ...spec },
    };
    await writeFile(join(this.folder, 'platform.yaml'), JSON.stringify(file, undefined, 2));
  }

  start(args: readonly string[], env: NodeJS.ProcessEnv = {}): Started {
    const child = spawn(process.execPath, [MAIN, ...args], {
      cwd: this.folder,
      env: { ...this.#scratch.stack.env, CI: 'true', ...this.#env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout?.on('data', (data: Buffer) => {
      stdout += data.toString();
    });
    child.stderr?.on('data', (data: Buffer) => {
      stderr += data.toString();
    });
    const ended = new Promise<Ended>((done) => {
      child.on('close', (status) => done({ status, stdout, stderr }));
    });
    return { child, ended, stdout: () => stdout, stderr: () => stderr };
  }

  run(...args: string[]): Promise<Ended> {
    return this.start(args).ended;
  }

  /** What a teardown would find. */
  async inventory(...args: string[]): Promise<Inventory> {
    const { stdout, stderr } = await this.run(
      'plan',
      'teardown',
      '--inventory',
      '-o',
      'json',
      ...args,
    );
    if (stdout === '') throw new Error(`no inventory: ${stderr}`);
    return JSON.parse(stdout).inventory;
  }

  /** A teardown as it was approved. */
  async teardown({ platform, hash }: Inventory, ...args: string[]): Promise<Deployed> {
    const approved = ['--confirm', platform, '--expect', hash];
    return deployed(await this.run('teardown', '-o', 'json', ...approved, ...args));
  }

  /** A deployment with its events and its report. */
  async deploy(...args: string[]): Promise<Deployed> {
    return deployed(await this.run('deploy', '-o', 'json', ...args));
  }
}

export interface Deployed extends Ended {
  readonly events: readonly RunEvent[];
  readonly report: Report;
  /** Node -> outcome, without what stands before the names. */
  readonly outcomes: Readonly<Record<string, string>>;
}

/** What a deployment with `-o json` printed. */
export function deployed(ended: Ended): Deployed {
  const lines = ended.stdout.split('\n').filter(Boolean);
  const parsed = lines.map((line) => JSON.parse(line));
  const report = parsed.find(({ kind }) => kind === 'Report') as Report | undefined;
  if (!report) throw new Error(`no report, exit status ${ended.status}: ${ended.stderr}`);
  const outcomes = Object.fromEntries(report.nodes.map(({ id, outcome }) => [id, outcome]));
  return { ...ended, events: parsed.filter(({ kind }) => kind === undefined), report, outcomes };
}
