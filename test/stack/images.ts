// Images without a registry: built from scratch or from files of this machine, kept as archives in the cache under a
// name that tells their content, and imported into the node's containerd.

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  copyFile,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { moduleDirectory } from './build.ts';
import { type Config, containerdSocket } from './config.ts';
import { Failure } from './failure.ts';
import { inside, machineHolder } from './machine.ts';
import { progress } from './progress.ts';
import { run } from './run.ts';
import { PAUSE_IMAGE } from './settings.ts';
import { standin } from './standin.ts';

interface ProgramImage {
  readonly reference: string;
  readonly program: string;
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
}

/** The images that the stack itself runs. Their names never change, their content follows the pins. */
export async function stackImages(config: Config): Promise<string[]> {
  const program = (module: string, name: string) => join(moduleDirectory(config, module), name);
  const images: ProgramImage[] = [
    {
      reference: PAUSE_IMAGE,
      program: await standin(config),
      entrypoint: ['/bin/standin'],
      command: ['pause'],
    },
    {
      reference: 'localhost/coredns:1',
      program: program('coredns', 'coredns'),
      entrypoint: ['/bin/coredns'],
    },
  ];
  if (config.argocd !== 'none') {
    images.push(
      { reference: 'localhost/argocd-server:1', program: program('argo-cd', 'argocd') },
      { reference: 'localhost/argoexec:1', program: program('argo-workflows', 'argoexec') },
    );
  }
  await removeScratch(config);
  const archives: string[] = [];
  for (const image of images) archives.push(await programImage(config, image));
  return archives;
}

/** Longer than any build takes. */
const LEFT_MS = 3_600_000;

/** What a build that was ended half-way left. Others may be building on the same stack. */
async function removeScratch(config: Config): Promise<void> {
  const directory = join(config.cache, 'images');
  for (const entry of await readdir(directory).catch(() => [])) {
    if (!entry.startsWith('building-')) continue;
    const { mtimeMs } = await stat(join(directory, entry)).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > LEFT_MS)
      await rm(join(directory, entry), { recursive: true, force: true });
  }
}

/** An image with one static program in /bin. The program's directory is named after what it was built from. */
async function programImage(config: Config, image: ProgramImage): Promise<string> {
  const name = basename(image.program);
  const dockerfile = [
    'FROM scratch',
    `COPY ${name} /bin/${name}`,
    'ENV PATH=/bin',
    ...(image.entrypoint ? [`ENTRYPOINT ${JSON.stringify(image.entrypoint)}`] : []),
    ...(image.command ? [`CMD ${JSON.stringify(image.command)}`] : []),
    '',
  ].join('\n');
  const key = hash(image.reference, basename(dirname(image.program)), dockerfile);
  return archive(config, key, image.reference, async (context) => {
    await link(image.program, join(context, name)).catch(() =>
      copyFile(image.program, join(context, name)),
    );
    await writeFile(join(context, 'Dockerfile'), dockerfile);
    return context;
  });
}

/**
 * Builds DIRECTORY/Dockerfile, unless this very content was built before, and loads it into the node. What changes with every
 * build is not worth keeping.
 */
export async function image(
  config: Config,
  directory: string,
  reference: string,
  { keep = true } = {},
): Promise<void> {
  const key = hash(reference, ...(await treeContent(directory)));
  const file = await archive(config, key, reference, async () => directory);
  await loadImage(config, file);
  if (!keep) await rm(file);
}

/** The archive with that key, made from a build context if it is not there. */
async function archive(
  config: Config,
  key: string,
  reference: string,
  contextIn: (scratch: string) => Promise<string>,
): Promise<string> {
  const file = join(config.cache, 'images', `${key}.tar`);
  if (existsSync(file)) return file;
  const holder = await machineHolder(config);
  if (!holder) throw new Failure(`image ${reference} cannot be built: the stack is not up`);
  progress(`building image ${reference}`);
  await mkdir(join(config.cache, 'images'), { recursive: true });
  const scratch = await mkdtemp(join(config.cache, 'images', 'building-'));
  try {
    await mkdir(join(scratch, 'context'));
    const context = await contextIn(join(scratch, 'context'));
    const [enter, ...inner] = inside(holder); // buildah leaves notes in places of its own.
    const store = ['--root', join(scratch, 'root'), '--runroot', join(scratch, 'run')];
    const buildah = [...inner, 'buildah', ...store, '--storage-driver', 'vfs'];
    const env = { ...process.env, BUILDAH_ISOLATION: 'chroot', TMPDIR: scratch };
    const limits = { env, timeoutMs: 600_000 };
    await run(enter, [...buildah, 'build', '--quiet', '--tag', reference, context], limits);
    const target = `docker-archive:${scratch}/image.tar:${reference}`;
    await run(enter, [...buildah, 'push', '--quiet', reference, target], limits);
    await rename(join(scratch, 'image.tar'), file);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return file;
}

export async function loadImage(config: Config, archiveFile: string): Promise<void> {
  const containerd = ['--address', containerdSocket(config), '--namespace', 'k8s.io'];
  await run('ctr', [...containerd, 'images', 'import', archiveFile]);
}

/** Whether the node has an image of that name. */
export async function hasImage(config: Config, reference: string): Promise<boolean> {
  const containerd = ['--address', containerdSocket(config), '--namespace', 'k8s.io'];
  const listed = await run('ctr', [...containerd, 'images', 'list', '-q', `name==${reference}`]);
  return listed.trim() === reference;
}

/** Path, kind and content of everything below, in a fixed order. */
async function treeContent(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true });
  const files = entries.map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }));
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  const content: string[] = [];
  for (const { entry, path } of files) {
    if (entry.isFile()) content.push(path, hash(await readFile(path)));
    else content.push(path, entry.isSymbolicLink() ? await readlink(path) : 'directory');
  }
  return content;
}

function hash(...parts: (string | Buffer)[]): string {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(`${part.length}:`).update(part);
  return sum.digest('hex').slice(0, 24);
}
