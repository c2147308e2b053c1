// The reference platform in the form that runs without a registry, set up as its README says: the example is copied and
// committed, Argo CD gets the health checks, the bootstrap objects are applied. Its names are fixed, so there is one at a time.

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { KubernetesObject } from '@kubernetes/client-node';
import { load, loadAll } from 'js-yaml';
import { run } from '../run.ts';
import type { Mark, Write } from './audit.ts';
import { type Dump, dump } from './dump.ts';
import { argocdSettings } from './nested-health.ts';
import type { Application } from './objects.ts';
import type { Scratch } from './scratch.ts';
import { Tiphys } from './tiphys.ts';

const PROJECT = 'platform';
const CLUSTER_KINDS = [
  'CustomResourceDefinition',
  'ClusterRole',
  'ClusterRoleBinding',
  'IngressClass',
  'StorageClass',
];

interface PlatformFile {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly stacks: readonly {
      readonly name: string;
      readonly application: string;
      readonly dependsOn?: readonly string[];
      readonly applications: readonly { readonly name: string; readonly dependsOn?: string[] }[];
    }[];
  };
}

export class Reference {
  readonly #scratch: Scratch;
  readonly folder: string;
  readonly tiphys: Tiphys;

  private constructor(scratch: Scratch, env: NodeJS.ProcessEnv) {
    this.#scratch = scratch;
    this.folder = scratch.repository.directory;
    this.tiphys = new Tiphys(scratch, env, { name: 'reference', folder: this.folder });
  }

  static async create(scratch: Scratch, env: NodeJS.ProcessEnv = {}): Promise<Reference> {
    const reference = new Reference(scratch, env);
    const init = ['init', reference.folder, '--stand-ins'];
    const repository = ['--git-repository', scratch.repository.url];
    await run(process.execPath, [resolve('dist/main.js'), ...init, ...repository]);
    await reference.remove(); // What a test that was killed has left.
    scratch.afterwards(() => reference.remove());
    const checks = load((await reference.tiphys.run('health', 'render')).stdout);
    await argocdSettings(scratch, (checks as { data: Record<string, string> }).data);
    return reference;
  }

  /** Commits what is there and applies the bootstrap objects. */
  async bootstrap(): Promise<void> {
    await this.#scratch.repository.commit({});
    await this.#kubectl('apply', '-f', join(this.folder, 'bootstrap'));
  }

  /** Changes a file of the tree. */
  async edit(path: string, from: string, to: string): Promise<void> {
    const file = join(this.folder, path);
    const text = await readFile(file, 'utf8');
    if (!text.includes(from)) throw new Error(`${path} has no '${from}'`);
    await writeFile(file, text.replace(from, to));
  }

  /** Takes something out of a file of the tree. */
  async cut(path: string, what: RegExp): Promise<void> {
    const text = await readFile(join(this.folder, path), 'utf8');
    const [found] = what.exec(text) ?? [];
    if (found === undefined) throw new Error(`${path} has no ${what}`);
    await this.edit(path, found, '');
  }

  async #platform(): Promise<PlatformFile> {
    const [file] = loadAll(await readFile(join(this.folder, 'platform.yaml'), 'utf8'));
    return file as PlatformFile;
  }

  /** Every application and every stack's Application -> what must be Healthy before it is synced. Read without the program. */
  async dependencies(): Promise<Map<string, Set<string>>> {
    const { stacks } = (await this.#platform()).spec;
    const members = new Map(
      stacks.map(({ name, applications }) => [name, applications.map((one) => one.name)]),
    );
    const named = (references: readonly string[] = []) =>
      references.flatMap((one) =>
        one.startsWith('stack:') ? (members.get(one.slice('stack:'.length)) ?? []) : [one],
      );
    return new Map(
      stacks.flatMap((stack) => [
        [stack.application, new Set(named(stack.dependsOn))] as const,
        ...stack.applications.map(
          ({ name, dependsOn }) =>
            [name, new Set([...named(stack.dependsOn), ...named(dependsOn)])] as const,
        ),
      ]),
    );
  }

  /** The Applications as Argo CD keeps them, by name. */
  async applications(): Promise<Map<string, Application>> {
    const all = await this.#scratch.stack.applications();
    const ours = all.filter(({ spec }) => spec.project === PROJECT);
    return new Map(ours.map((one) => [one.metadata?.name ?? '', one]));
  }

  /** Every write to its Applications, its AppProject and its namespaces that was not Kubernetes' own. */
  async writesSince(mark: Mark): Promise<Write[]> {
    const { audit } = this.#scratch.stack;
    const names = new Set([PROJECT, ...(await this.applications()).keys()]);
    const namespaces = new Set(await this.namespaces());
    return (await audit.since(mark)).filter(({ resource, name, namespace, user }) =>
      resource.endsWith('.argoproj.io')
        ? names.has(name)
        : namespaces.has(namespace) && /argocd|tiphys/.test(user),
    );
  }

  /** All that it deployed, for comparison. */
  async dump(): Promise<Dump> {
    const { stack, repository } = this.#scratch;
    return dump(stack, new Set((await this.applications()).keys()), repository.url);
  }

  async namespaces(): Promise<string[]> {
    const applications = await this.#objects('stacks');
    const names = applications.map(
      ({ spec }) => (spec as { destination: { namespace: string } }).destination.namespace,
    );
    return [...new Set(names)].sort();
  }

  /** Everything but the files: the cluster is as empty as before. */
  async remove(): Promise<void> {
    await this.#scratch.removeApplications(PROJECT);
    await this.#kubectl('-n', 'argocd', 'delete', 'appproject', PROJECT, '--ignore-not-found');
    for (const kind of CLUSTER_KINDS) {
      const ours = (await this.#objects('stand-ins')).filter((object) => object.kind === kind);
      const names = ours.map(({ metadata }) => metadata?.name ?? '');
      await this.#kubectl('delete', kind, ...names, '--ignore-not-found', '--wait=false');
    }
    await this.#kubectl('delete', 'namespace', ...(await this.namespaces()), '--ignore-not-found');
    // A parent that was healing itself when it was removed may have made a child anew.
    await this.#scratch.removeApplications(PROJECT);
  }

  async #objects(folder: string): Promise<(KubernetesObject & { spec?: unknown })[]> {
    const below = await readdir(join(this.folder, folder), {
      recursive: true,
      withFileTypes: true,
    });
    const files = below.filter((entry) => entry.isFile());
    const texts = files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8'));
    return (await Promise.all(texts)).flatMap((text) => loadAll(text) as KubernetesObject[]);
  }

  #kubectl(...args: string[]): Promise<string> {
    return this.#scratch.stack.run('kubectl', ...args);
  }
}
