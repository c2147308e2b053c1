// Everything that an import can know of a platform from the text of a repository.
import { mapConcurrently } from '../../engines/map-concurrently.ts';
import { type ReadApplication, readApplications } from '../../import/application-object.ts';
import { healthSettings } from '../../import/custom-health.ts';
import { findParents } from '../../import/find-parents.ts';
import { expandApplicationSet } from '../../import/git/application-set.ts';
import { findDocuments, isArgo, plainApplications } from '../../import/git/find-documents.ts';
import type { FolderFiles } from '../../import/git/folder-files.ts';
import { listedOf } from '../../import/git/objects-in-files.ts';
import { readGitSource } from '../../import/git/read-git-source.ts';
import type { Renderer } from '../../import/git/renderer.ts';
import { repositoryKey, thisRepository } from '../../import/git/this-repository.ts';
import { mostCommon } from '../../import/group.ts';
import type { ApplicationMaterial, Material, ReadProblem } from '../../import/material.ts';
import type { OnProgress } from '../../import/read-progress.ts';
import { sortMaterial } from '../../import/sort-material.ts';
import type { Io } from '../io.ts';
import { openFolder } from './folder.ts';
import { programRenderer } from './programs.ts';

export interface FolderReading {
  /** By the programs helm and kustomize, or kubectl. */
  readonly render: boolean;
  readonly signal: AbortSignal;
  readonly progress?: OnProgress;
}

/** Programs at a time. */
const CONCURRENCY = 4;
/** An Application can create others, which create others. */
const ROUNDS_MAX = 16;
const APPLICATIONS_MAX = 20_000;
const ARGOCD = 'argocd';

export async function readFromFolder(
  io: Io,
  folder: string,
  { render, signal, progress = () => {} }: FolderReading,
): Promise<Material> {
  const files = openFolder(io, folder);
  const renderer = render ? programRenderer(io, folder, signal) : undefined;
  const reader = new GitReader(files, renderer, progress, signal);
  const { settings, applications, sets, problems } = findDocuments(files);
  await reader.readAll(applications, sets);
  const { parents, problems: circles } = findParents(
    reader.materials.map((material) => ({ material, trackedBy: undefined })),
    [],
  );
  return sortMaterial({
    applications: reader.materials.map((material) => {
      const parent = parents.get(material.name);
      return parent === undefined ? material : { ...material, parent };
    }),
    definedKinds: [],
    customHealth: [],
    ...(settings && healthSettings(settings)),
    argocdNamespace: reader.argocdNamespace,
    problems: [...problems, ...reader.problems, ...files.problems, ...circles],
  });
}

class GitReader {
  readonly materials: ApplicationMaterial[] = [];
  readonly problems: ReadProblem[] = [];
  readonly #known = new Set<string>();
  readonly #sets = new Set<string>();
  readonly #namespaces: string[] = [];
  readonly #files: FolderFiles;
  readonly #renderer: Renderer | undefined;
  readonly #progress: OnProgress;
  readonly #signal: AbortSignal;
  #repository: string | undefined;

  constructor(
    files: FolderFiles,
    renderer: Renderer | undefined,
    progress: OnProgress,
    signal: AbortSignal,
  ) {
    this.#files = files;
    this.#renderer = renderer;
    this.#progress = progress;
    this.#signal = signal;
  }

  /** Where most Applications are. */
  get argocdNamespace(): string {
    return mostCommon(this.#namespaces) ?? ARGOCD;
  }

  /** What they create is read in the next round. */
  async readAll(applications: readonly unknown[], sets: readonly unknown[]): Promise<void> {
    let next = this.#added(applications, sets, true);
    this.#repository = thisRepository(
      next.flatMap(({ sources }) => sources),
      this.#files,
    );
    for (let round = 0; next.length > 0 && round < ROUNDS_MAX; round++) {
      let done = 0;
      const total = next.length;
      const read = await mapConcurrently(
        next,
        { concurrency: CONCURRENCY, signal: this.#signal },
        async (application) => {
          const material = await this.#read(application);
          this.#progress({ stage: 'sources of Applications', done: ++done, total });
          return material;
        },
      );
      this.materials.push(...read);
      const objects = read.flatMap((material) => material.objects);
      const made = plainApplications(objects.filter((one) => isArgo(one, 'Application')));
      next = this.#added(
        made.applications,
        objects.filter((one) => isArgo(one, 'ApplicationSet')),
        false,
      );
    }
  }

  /** Those that are not known yet. `isText`: found in files, where a second one of a name is worth a word. */
  #added(
    documents: readonly unknown[],
    sets: readonly unknown[],
    isText: boolean,
  ): readonly ReadApplication[] {
    const generated = sets.flatMap((set) => this.#generated(set));
    const { applications, unreadable } = readApplications([...documents, ...generated]);
    if (isText) this.problems.push(...unreadable);
    const fresh = applications.filter(({ material }) => !this.#known.has(material.name));
    const room = Math.max(0, APPLICATIONS_MAX - this.#known.size);
    if (fresh.length > room) {
      const message = `There are more than ${APPLICATIONS_MAX} Applications. The others are left out.`;
      this.problems.push({ subject: 'Applications', message });
    }
    const added = fresh.slice(0, room);
    for (const { material, namespace } of added) {
      this.#known.add(material.name);
      if (namespace !== '') this.#namespaces.push(namespace);
    }
    return added;
  }

  #generated(set: unknown): readonly unknown[] {
    const { metadata } = set as { readonly metadata?: { readonly name?: unknown } };
    const name = String(metadata?.name);
    if (this.#sets.has(name)) return [];
    this.#sets.add(name);
    const { applications, problems } = expandApplicationSet(set, this.#files);
    this.problems.push(...problems);
    return applications;
  }

  async #read({ material, sources }: ReadApplication): Promise<ApplicationMaterial> {
    const isLocal = ({ repoURL }: { readonly repoURL: string }) =>
      repositoryKey(repoURL) === this.#repository;
    const context = {
      files: this.#files,
      renderer: this.#renderer,
      isLocal,
      localRefs: new Set(sources.filter(isLocal).flatMap(({ ref }) => ref || [])),
      release: material.name,
      namespace: material.destination.namespace,
      problem: (message: string) => this.problems.push({ subject: material.name, message }),
    };
    const contents = [];
    for (const source of sources) contents.push(await readGitSource(source, context));
    const objects = contents.flatMap((one) => one.objects);
    const isWhole = contents.length > 0 && contents.every((one) => one.isWhole);
    return {
      ...material,
      objects,
      resources: listedOf(objects),
      charts: [...material.charts, ...contents.flatMap((one) => one.charts)],
      values: contents.flatMap((one) => one.values),
      content: isWhole ? 'manifests' : 'unknown',
    };
  }
}
