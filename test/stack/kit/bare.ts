// A platform for a cluster that has nothing yet: its files, its Git repository where pods reach it, the command.
import { spawn } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { BootstrapReport } from '../../../src/bootstrap/report.ts';
import { ansiblePath } from '../ansible.ts';
import { type GitDaemon, serveGit } from './git-daemon.ts';
import { QUICK } from './platform.ts';
import { Repository } from './repository.ts';
import type { Stack } from './stack.ts';
import type { Ended } from './tiphys.ts';
import { deployment } from './workloads.ts';

export interface Bootstrapped extends Ended {
  readonly report: BootstrapReport;
}

export class Bare {
  readonly stack: Stack;
  readonly folder: string;
  readonly #git: GitDaemon;
  readonly #ansible: string;

  private constructor(stack: Stack, folder: string, git: GitDaemon, ansible: string) {
    this.stack = stack;
    this.folder = folder;
    this.#git = git;
    this.#ansible = ansible;
  }

  static async create(stack: Stack): Promise<Bare> {
    const folder = join(stack.config.state, 'bare');
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const [git, ansible] = [await serveGit(folder), await ansiblePath(stack.config)];
    const bare = new Bare(stack, folder, git, ansible);
    await bare.#fill();
    return bare;
  }

  charts(name: string): string {
    return join(this.folder, 'charts', name);
  }

  async close(): Promise<void> {
    this.#git.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Two applications, the second after the first, made by a root that syncs by itself. */
  async #fill(): Promise<void> {
    const repository = await Repository.create(join(this.folder, 'repository'));
    const repoURL = this.#git.url('repository');
    await repository.commit({
      'root/web.yaml': application('web', repoURL),
      'root/api.yaml': application('api', repoURL),
      'web/web.yaml': deployment({ name: 'web' }),
      'api/api.yaml': deployment({ name: 'api' }),
    });
    const platform = {
      ...{ apiVersion: 'tiphys.dev/v1alpha1', kind: 'Platform', metadata: { name: 'bare' } },
      spec: {
        ...{ argocd: { project: 'bare' }, root: 'bare-root', ...QUICK },
        stacks: [
          { name: 'all', applications: [{ name: 'web' }, { name: 'api', dependsOn: ['web'] }] },
        ],
      },
    };
    const environment = {
      ...{ name: 'production', domain: 'bare.example.com' },
      ...{ gitRepository: repoURL, gitRevision: 'main' },
    };
    await writeFile(join(this.folder, 'platform.yaml'), JSON.stringify(platform));
    await writeFile(join(this.folder, 'environment.yaml'), JSON.stringify(environment));
  }

  run(...args: string[]): Promise<Ended> {
    const { env } = this.stack;
    const child = spawn(process.execPath, [resolve('dist/main.js'), ...args], {
      cwd: this.folder,
      env: { ...env, CI: 'true', PATH: `${this.#ansible}:${env.PATH ?? ''}` },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (data) => {
      stdout += data;
    });
    child.stderr.on('data', (data) => {
      stderr += data;
    });
    return new Promise((done) => child.on('close', (status) => done({ status, stdout, stderr })));
  }

  bootstrap(...args: string[]): Promise<Bootstrapped> {
    return this.#reported('bootstrap', ...args);
  }

  /** Of what bootstrap installed. */
  remove(): Promise<Bootstrapped> {
    return this.#reported('teardown', '--primitives', '--confirm', 'bare/primitives');
  }

  async #reported(...args: string[]): Promise<Bootstrapped> {
    const ended = await this.run(...args, '-o', 'json');
    const lines = ended.stdout.split('\n').filter(Boolean);
    const report = lines.map((line) => JSON.parse(line)).find(({ kind }) => kind === 'Bootstrap');
    if (!report) throw new Error(`exit status ${ended.status}: ${ended.stdout}${ended.stderr}`);
    return { ...ended, report };
  }
}

const application = (name: string, repoURL: string) => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name, namespace: 'argocd', finalizers: ['resources-finalizer.argocd.argoproj.io'] },
  spec: {
    project: 'bare',
    destination: { server: 'https://kubernetes.default.svc', namespace: 'bare' },
    syncPolicy: { automated: { selfHeal: true }, syncOptions: ['CreateNamespace=true'] },
    source: { repoURL, targetRevision: 'main', path: name },
  },
});
