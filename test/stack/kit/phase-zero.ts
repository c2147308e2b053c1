// Phase 0 as a user runs it on the stack, and what its rows say.
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PreflightReport } from '../../../src/preflight/preflight-report.ts';
import { ansiblePath, installedAnsible } from '../ansible.ts';
import { findProgram } from '../needs.ts';
import { waitFor } from '../run.ts';
import { full } from './full.ts';
import { Scratch } from './scratch.ts';
import { stack } from './stack.ts';
import { test as base } from './test.ts';
import { type Ended, Tiphys } from './tiphys.ts';
import { kubeconfigFor, ownUser, type User } from './user.ts';

export const TOOLS = ['ansible-playbook', 'kubectl', 'helm', 'kubeseal', 'jq', 'yq'];
const PROGRAMS = [...TOOLS, 'ansible-galaxy'];

const named = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });

/** What one test leaves in the way. */
export const LEFT_OVER = named('argo-events');

class Phase0 {
  readonly scratch: Scratch;
  readonly user: User;
  readonly #tiphys: Tiphys;
  /** Where its files are. */
  readonly folder: string;
  /** Where programs are looked for. */
  readonly #programs: string;
  #before: Promise<PreflightReport> | undefined;

  private constructor(scratch: Scratch, user: User, tiphys: Tiphys, programs: string) {
    this.scratch = scratch;
    this.user = user;
    this.#tiphys = tiphys;
    this.#programs = programs;
    this.folder = join(scratch.stack.config.state, 'platforms', scratch.name);
  }

  /** A platform, its repository, charts in a folder, and a PATH with the tools that this machine has and nothing else. */
  static async create(scratch: Scratch): Promise<Phase0> {
    // Other suites make some of it, and do not wait until it is gone.
    for (const left of [LEFT_OVER, named('sealed-secrets')]) {
      const isGone = async () => (await scratch.stack.read(left)) === undefined;
      await waitFor(`the namespace ${left.metadata.name} to be gone`, isGone);
    }
    const user = await ownUser(scratch);
    const tiphys = new Tiphys(scratch);
    await tiphys.platform({ stacks: [{ name: 'one', applications: [{ name: 'shop' }] }] });
    const { config, env } = scratch.stack;
    const ansible = full ? await ansiblePath(config) : await installedAnsible(config);
    const programs = [ansible, env.PATH].filter(Boolean).join(':');
    const made = new Phase0(scratch, user, tiphys, programs);
    const { folder } = made;
    const environment = {
      ...{ name: 'test', domain: 'example.org', gitRevision: 'main' },
      gitRepository: scratch.repository.url,
    };
    await writeFile(join(folder, 'environment.yaml'), JSON.stringify(environment));
    await mkdir(join(folder, 'charts'));
    await writeFile(join(folder, 'charts', 'argo-cd-1.0.0.tgz'), '');
    return made;
  }

  /** Where a program is; undefined: nowhere. */
  find(name: string): string | undefined {
    return findProgram(name, this.#programs);
  }

  /** A folder with links to programs, all but one. */
  async path(hidden?: string): Promise<string> {
    const folder = join(this.folder, `bin-${hidden ?? 'all'}`);
    if (findProgram(join(folder, 'kubectl'), '') !== undefined) return folder;
    await mkdir(folder, { recursive: true });
    for (const name of PROGRAMS.filter((one) => one !== hidden)) {
      const file = this.find(name);
      if (file !== undefined) await symlink(file, join(folder, name));
    }
    return folder;
  }

  async run(args: readonly string[] = [], hidden?: string): Promise<Ended> {
    const common = ['preflight', '--charts', 'charts', '--image-source', '127.0.0.1:1'];
    const { kubeconfig } = this.user;
    const env = { PATH: await this.path(hidden) };
    return this.#tiphys.start([...common, '--kubeconfig', kubeconfig, ...args], env).ended;
  }

  /** With nothing taken away; it is kept in before.json. */
  before(): Promise<PreflightReport> {
    this.#before ??= this.report(['--snapshot', 'before.json']);
    return this.#before;
  }

  async report(args: readonly string[] = [], hidden?: string): Promise<PreflightReport> {
    const { stdout, stderr } = await this.run(['-o', 'json', ...args], hidden);
    if (stdout === '') throw new Error(`no report: ${stderr}`);
    return JSON.parse(stdout);
  }
}

/** One for all tests of a file: looking changes nothing. */
export const test = base.extend<{ phase0: Phase0 }>({
  phase0: [
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures are asked for.
    async ({}, use) => {
      const scratch = await Scratch.create(stack());
      try {
        await use(await Phase0.create(scratch));
      } finally {
        await scratch.cleanUp();
      }
    },
    { scope: 'file' },
  ],
});

export const verdicts = ({ rows }: PreflightReport): Record<string, string> =>
  Object.fromEntries(rows.map(({ id, verdict }) => [id, verdict]));

/** The rows that have another verdict now: id -> what it was and what it is. */
export function turned(before: PreflightReport, now: PreflightReport): Record<string, string> {
  const was = verdicts(before);
  const changed = Object.entries(verdicts(now)).filter(([id, verdict]) => was[id] !== verdict);
  return Object.fromEntries(changed.map(([id, verdict]) => [id, `${was[id]} -> ${verdict}`]));
}

export const seen = ({ rows }: PreflightReport, id: string) =>
  rows.find((row) => row.id === id)?.seen;

/** The kubeconfig of a user who may do everything that the rows name but for one thing. */
export async function userWithout(
  scratch: Scratch,
  { rows }: PreflightReport,
  verb: string,
  resource: string,
): Promise<string> {
  const { namespace, stack: cluster } = scratch;
  const rbac = 'rbac.authorization.k8s.io';
  const others = ['get', 'list', 'watch', 'create', 'update', 'patch', 'escalate', 'bind'];
  const named = rows
    .filter(({ id }) => id.startsWith('right:'))
    .map(({ id }) => id.slice('right:'.length).split('.')[0] ?? '');
  const name = `${namespace}-less`;
  const role = {
    ...{ apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata: { name } },
    rules: [
      { apiGroups: ['*'], resources: ['*'], verbs: others },
      { apiGroups: ['*'], resources: named.filter((one) => one !== resource), verbs: [verb] },
    ],
  };
  const account = { name: 'less', namespace };
  const binding = {
    ...{ apiVersion: `${rbac}/v1`, kind: 'ClusterRoleBinding', metadata: { name } },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name },
    subjects: [{ kind: 'ServiceAccount', ...account }],
  };
  const made = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: account };
  for (const object of [made, role, binding]) {
    await cluster.apply(object);
    if (object !== made) scratch.afterwards(() => cluster.remove(object));
  }
  const token = await cluster.run('kubectl', '-n', namespace, 'create', 'token', 'less');
  return kubeconfigFor(scratch, 'less', { token: token.trim() });
}
