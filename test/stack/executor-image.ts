// The executor's image without a registry: the layout of the Dockerfile, with a Node.js of the line that it names and with the
// libraries of this machine instead of those of a base image.
import { existsSync } from 'node:fs';
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from './config.ts';
import { Failure } from './failure.ts';
import { image } from './images.ts';
import { imageNode } from './node.ts';
import { run } from './run.ts';

const REPOSITORY = join(import.meta.dirname, '..', '..');
export const SHIPPED = [
  'dist',
  'examples',
  'health',
  'lua/engine.wasm.br',
  'schemas',
  'package.json',
];
/** What no program reads. */
const UNREAD = /\.(?:map|md|ts|mts|cts)$/;

let bytes = 0;

/** Of what is in the image, once it was built. */
export const executorImageBytes = (): number => bytes;

async function sizeOf(directory: string): Promise<number> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Built and loaded into the node. Give it a name that is the test's own. */
export async function executorImage(config: Config, reference: string): Promise<void> {
  if (!existsSync(join(REPOSITORY, 'dist', 'main.js')))
    throw new Failure('dist/main.js is missing: npm run build');
  const context = await mkdtemp(join(config.state, 'executor-image-'));
  try {
    await executorFiles(config, join(context, 'image'));
    bytes = await sizeOf(join(context, 'image'));
    await writeFile(join(context, 'Dockerfile'), DOCKERFILE);
    await image(config, context, reference, { keep: false });
  } finally {
    await rm(context, { recursive: true, force: true });
  }
}

/** The end of the project's Dockerfile, which begins with a base image that cannot be had here. */
const DOCKERFILE = `FROM scratch
COPY image /
ENV PATH=/app/bin:/usr/bin NODE_ENV=production
WORKDIR /app
USER 65532:65532
ENTRYPOINT ["node", "/app/bin/executor"]
`;

/** What is in it, under a folder. */
export async function executorFiles(config: Config, root: string): Promise<void> {
  const app = join(root, 'app');
  for (const folder of ['app/bin', 'usr/bin', 'tmp', 'config', 'secrets'])
    await mkdir(join(root, folder), { recursive: true });
  await chmod(join(root, 'tmp'), 0o1777);
  for (const path of SHIPPED)
    await cp(join(REPOSITORY, path), join(app, path), { recursive: true });
  for (const path of await runtimePackages()) {
    const filter = (source: string) => !UNREAD.test(source);
    await cp(join(REPOSITORY, path), join(app, path), { recursive: true, filter });
  }
  await symlink('../dist/main.js', join(app, 'bin', 'executor'));
  const node = await imageNode(config);
  await cp(node, join(root, 'usr/bin/node'));
  await addLibraries(root, node);
}

async function runtimePackages(): Promise<string[]> {
  const lock = JSON.parse(await readFile(join(REPOSITORY, 'package-lock.json'), 'utf8'));
  return Object.entries<{ dev?: boolean }>(lock.packages)
    .filter(([path, { dev }]) => path !== '' && !dev && existsSync(join(REPOSITORY, path)))
    .filter(([path]) => !path.startsWith('node_modules/@types/'))
    .map(([path]) => path);
}

/** Those that programs are linked with. */
async function libraries(...programs: string[]): Promise<string[]> {
  const text = await run('ldd', programs);
  return [...new Set([...text.matchAll(/(\/\S+) \(0x/g)].map(([, path = '']) => path))];
}

/** Where programs look for them. */
export async function addLibraries(root: string, ...programs: string[]): Promise<void> {
  for (const library of await libraries(...programs)) {
    await mkdir(dirname(join(root, library)), { recursive: true });
    await cp(await realpath(library), join(root, library));
  }
}
