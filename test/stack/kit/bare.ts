// A platform for a cluster that has nothing yet: its files, its Git repository where pods reach it, the command.
import { spawn } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { dump } from 'js-yaml';
import type { BootstrapReport } from '../../../src/bootstrap/bootstrap-report.ts';
import { ansiblePath } from '../ansible.ts';
import { binDirectory } from '../config.ts';
import { pkiFile } from '../pki.ts';
import { waitFor } from '../run.ts';
import { exactUser } from './exact-rights.ts';
import { QUICK } from './platform.ts';
import { type PrivateGit, servePrivateGit } from './private-git.ts';
import { Repository } from './repository.ts';
import type { Stack } from './stack.ts';
import type { Ended } from './tiphys.ts';
import { deployment } from './workloads.ts';

export interface Bootstrapped extends Ended {
  readonly report: BootstrapReport;
}

/** What the Git server takes at first. */
export const GIT_PAIR = 'reader:one-that-nobody-else-has';

/**
 * A comment for Ansible's eyes: a header that gives a template other delimiters, and a template that makes the file. It must be the
 * beginning of its text.
 */
const templateIn = (file: string) =>
  `#jinja2: variable_start_string:'[[', variable_end_string:']]'\n# [[ lookup('pipe', 'id | tee ${file}') ]]\n`;

/** Who runs the commands, and the name that the audit log has for it. */
export const BARE_USER = {
  namespace: 'bare-user',
  account: 'tiphys',
  name: 'system:serviceaccount:bare-user:tiphys',
} as const;

/** The kubeconfig of one who also sees what a teardown leaves. */
export const REMOVER = 'kubeconfig-remover';

interface Parts {
  readonly folder: string;
  readonly git: PrivateGit;
  readonly repository: Repository;
  readonly ansible: string;
}

export class Bare {
  readonly stack: Stack;
  readonly folder: string;
  /** What is in the files. Both begin with a comment that would have this machine make the file `obeyed`. */
  platform = '';
  environment = '';
  gitPair = '';
  readonly git: PrivateGit;
  readonly repository: Repository;
  readonly #ansible: string;

  private constructor(stack: Stack, parts: Parts) {
    this.stack = stack;
    this.folder = parts.folder;
    this.git = parts.git;
    this.repository = parts.repository;
    this.#ansible = parts.ansible;
  }

  /**
   * Everything is done by a user who may do what phase 0 asks for, and nothing else.
   * @param settings beside those that every environment has
   */
  static async create(stack: Stack, settings: object): Promise<Bare> {
    const folder = join(stack.config.state, 'bare');
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const git = await servePrivateGit(stack.config, folder, GIT_PAIR);
    const ansible = await ansiblePath(stack.config);
    const repository = await Repository.create(join(folder, 'repository'));
    const bare = new Bare(stack, { folder, git, repository, ansible });
    await bare.#fill();
    await bare.setEnvironment(settings);
    const { account, namespace } = BARE_USER;
    const user = { name: account, namespace, isAdvised: false };
    await exactUser(stack, user, join(folder, 'kubeconfig'));
    const remover = { name: 'remover', namespace, isAdvised: true };
    await exactUser(stack, remover, join(folder, REMOVER));
    return bare;
  }

  /** Is there only if Ansible has taken a text for a template. */
  get obeyed(): string {
    return join(this.folder, 'obeyed');
  }

  get hostileText(): string {
    return templateIn(this.obeyed);
  }

  /** A file that begins with it. Without braces, at which everybody would see a template. */
  #hostile(content: object): string {
    return this.hostileText + dump(content);
  }

  charts(name: string): string {
    return join(this.folder, 'charts', name);
  }

  async close(): Promise<void> {
    this.git.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Two applications, the second after the first, made by a root that syncs by itself. */
  async #fill(): Promise<void> {
    const repoURL = this.git.url('repository');
    await this.repository.commit({
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
    this.platform = this.#hostile(platform);
    await writeFile(join(this.folder, 'platform.yaml'), this.platform);
    await this.giveGitToken(GIT_PAIR);
  }

  async setEnvironment(settings: object): Promise<void> {
    const values = {
      ...{ name: 'production', domain: 'bare.example.com' },
      ...{ gitRepository: this.git.url('repository'), gitRevision: 'main' },
      ...settings,
    };
    this.environment = this.#hostile(values);
    await writeFile(join(this.folder, 'environment.yaml'), this.environment);
  }

  /** In the folder that `--secrets secrets` names. */
  async giveGitToken(pair: string): Promise<void> {
    this.gitPair = pair;
    await mkdir(join(this.folder, 'secrets'), { recursive: true });
    await writeFile(join(this.folder, 'secrets', 'git-token'), pair, { mode: 0o600 });
  }

  run(...args: string[]): Promise<Ended> {
    return this.#start(process.execPath, [resolve('dist/main.js'), ...args], this.folder);
  }

  #start(program: string, args: readonly string[], cwd: string): Promise<Ended> {
    const child = spawn(program, args, {
      ...{ cwd, env: this.#env() },
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

  #env(): NodeJS.ProcessEnv {
    const { env } = this.stack;
    const PATH = `${this.#ansible}:${env.PATH ?? ''}`;
    const KUBECONFIG = join(this.folder, 'kubeconfig');
    const NODE_EXTRA_CA_CERTS = pkiFile(this.stack.config, 'ca.crt');
    return { ...env, CI: 'true', PATH, KUBECONFIG, NODE_EXTRA_CA_CERTS };
  }

  bootstrap(...args: string[]): Promise<Bootstrapped> {
    return this.#reported('bootstrap', '--secrets', 'secrets', ...args);
  }

  /** Of what bootstrap installed. */
  remove(): Promise<Bootstrapped> {
    return this.#reported('teardown', '--primitives', '--confirm', 'bare/primitives');
  }

  /** A role by hand, as docs/bootstrap.md has it. */
  async playbook(role: string, variables: object): Promise<Ended> {
    const folder = resolve('bootstrap');
    const args = [`playbooks/${role}.yml`, '--extra-vars', JSON.stringify(variables)];
    return this.#start(join(this.#ansible, 'ansible-playbook'), args, folder);
  }

  /** Helm begins to install a chart that never gets ready, and is killed on the way. */
  async helmCutOff(release: string, chart: string, ...values: string[]): Promise<void> {
    const place = ['--namespace', release, '--wait', '--timeout', '10m'];
    const args = ['install', release, chart, ...place, ...values.flatMap((one) => ['--set', one])];
    const child = spawn(join(binDirectory(this.stack.config), 'helm'), args, {
      env: this.#env(),
      stdio: 'ignore',
    });
    const pending = ['get', 'secret', '-n', release, '-l', 'status=pending-install', '-o', 'name'];
    const made = ['get', 'deployment', '-n', release, '-o', 'name'];
    for (const asked of [pending, made]) {
      await waitFor(`kubectl ${asked.join(' ')}`, () => this.stack.run('kubectl', ...asked));
    }
    child.kill('SIGKILL');
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
