// The executor's image with Ansible (the target `bootstrap` of the Dockerfile) without a registry: the same layout, with the
// Python, the shell and the tools of this machine and of the stack.
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ansiblePath } from './ansible.ts';
import { binDirectory, type Config } from './config.ts';
import { addLibraries, executorFiles } from './executor-image.ts';
import { image } from './images.ts';
import { addProgram } from './pod-images.ts';

const REPOSITORY = join(import.meta.dirname, '..', '..');
/** Of phase 0, beside Ansible and jq. */
const TOOLS = ['kubectl', 'helm', 'kubeseal', 'yq'];
/** What Ansible starts its modules with. */
const SHELL = ['sh', 'mkdir', 'rm', 'chmod', 'sleep', 'env'];

/** `charts`: the folder with those that are to be in it. */
export async function bootstrapImage(
  config: Config,
  reference: string,
  charts: string,
): Promise<void> {
  const context = await mkdtemp(join(config.state, 'bootstrap-image-'));
  try {
    await bootstrapFiles(config, join(context, 'image'), charts);
    await writeFile(join(context, 'Dockerfile'), DOCKERFILE);
    await image(config, context, reference, { keep: false });
  } finally {
    await rm(context, { recursive: true, force: true });
  }
}

async function bootstrapFiles(config: Config, root: string, charts: string): Promise<void> {
  await executorFiles(config, root);
  const app = join(root, 'app');
  for (const folder of ['bootstrap', 'workflows'])
    await cp(join(REPOSITORY, folder), join(app, folder), { recursive: true });
  await cp(charts, join(app, 'charts'), { recursive: true });
  for (const program of [...SHELL, 'jq']) await addProgram(root, program);
  await symlink('usr/bin', join(root, 'bin'));
  for (const tool of TOOLS)
    await cp(await realpath(join(binDirectory(config), tool)), join(root, 'usr/bin', tool));
  await addAnsible(root, await ansiblePath(config));
}

/** The end of the project's Dockerfile's target. */
const DOCKERFILE = `FROM scratch
COPY image /
ENV PATH=/app/bin:/usr/bin HOME=/tmp NODE_ENV=production
WORKDIR /app
USER 65532:65532
ENTRYPOINT ["node", "/app/bin/executor"]
`;

const COLLECTIONS = ['kubernetes/core', 'community/general', 'ansible/posix', 'ansible/utils'];
const LOCALE = '/usr/lib/locale/C.utf8';
/** Of Python itself and of its packages: what nothing here asks for. */
const UNUSED =
  /^(?:test|idlelib|tkinter|ensurepip|turtledemo|config-.*|pip|setuptools|ansible_test)$/;

/** Python finds its own files beside the folder that it is in: so it works in another place. */
async function addAnsible(root: string, bin: string): Promise<void> {
  const python = await realpath(join(bin, 'python3'));
  const version = basename(python);
  const place = join(root, 'usr/lib', version);
  await cp(python, join(root, 'usr/bin/python3'));
  const options = { recursive: true, preserveTimestamps: true };
  const own = join(dirname(dirname(python)), 'lib', version);
  const isUsed = (path: string, folder: string) =>
    dirname(path) !== folder || !UNUSED.test(basename(path));
  await cp(own, place, {
    ...options,
    filter: (path) => isUsed(path, own) && path !== join(own, 'site-packages'),
  });
  const packages = join(dirname(bin), 'lib', version, 'site-packages');
  const bundled = join(packages, 'ansible_collections');
  await cp(packages, join(place, 'site-packages'), {
    ...options,
    filter: (path) => isUsed(path, packages) && path !== bundled,
  });
  for (const collection of COLLECTIONS) {
    const target = join(place, 'site-packages/ansible_collections', collection);
    await cp(join(bundled, collection), target, options);
  }
  await addLibraries(root, python, ...(await sharedObjects(place)));
  // The one that Ansible asks for, which the library of C has as files.
  await cp(LOCALE, join(root, LOCALE), options);
  for (const name of ['playbook', 'galaxy']) await addCommand(root, name);
}

async function sharedObjects(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.so'));
  return files.map(({ parentPath, name }) => join(parentPath, name));
}

/** Those that pip makes name the Python that they were installed for. */
async function addCommand(root: string, name: string): Promise<void> {
  const file = join(root, 'usr/bin', `ansible-${name}`);
  const lines = ['#!/usr/bin/python3', `from ansible.cli.${name} import main`, 'main()', ''];
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, lines.join('\n'));
  await chmod(file, 0o755);
}
