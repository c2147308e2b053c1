// Images for what bootstrap installs: the programs that the stack builds, and programs of this machine with the libraries
// that they are linked with.
import { chmod, cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { moduleDirectory } from './build.ts';
import type { Config } from './config.ts';
import { addLibraries } from './executor-image.ts';
import { image } from './images.ts';
import { findProgram } from './needs.ts';
import { run } from './run.ts';
import { standin } from './standin.ts';

export const ARGOCD_IMAGE = 'localhost/argocd:pod';
export const REDIS_IMAGE = 'localhost/redis:pod';
export const CONTROLLER_IMAGE = 'localhost/workflow-controller:pod';
export const ARGOEXEC_IMAGE = 'localhost/argoexec:pod';
export const SEALED_IMAGE = 'localhost/sealed-secrets:pod';
export const EVENTS_IMAGE = 'localhost/argo-events:pod';
export const NATS_IMAGE = 'localhost/nats:pod';
/** In the place of what stands beside a NATS server, whose modules cannot be had everywhere: it does nothing. */
export const IDLE_IMAGE = 'localhost/idle:pod';

/** The user of both, as a number: `runAsNonRoot` wants to see it. */
const USER = 999;

/** By its name it knows which of its parts it is. */
const ARGOCD_PARTS = [
  'application-controller',
  'applicationset-controller',
  'repo-server',
  'server',
];

export async function podImages(config: Config): Promise<void> {
  await built(config, ARGOCD_IMAGE, async (root) => {
    const bin = join(root, 'usr/local/bin');
    await mkdir(bin, { recursive: true });
    await cp(join(moduleDirectory(config, 'argo-cd'), 'argocd'), join(bin, 'argocd'));
    for (const part of ARGOCD_PARTS) await symlink('argocd', join(bin, `argocd-${part}`));
    for (const program of ['git', 'cp', 'sh']) await addProgram(root, program);
    await mkdir(join(root, 'usr/lib/git-core'), { recursive: true });
    await symlink('/usr/bin/git', join(root, 'usr/lib/git-core/git'));
    const overHttp = join((await run('git', ['--exec-path'])).trim(), 'git-remote-http');
    await cp(await realpath(overHttp), join(root, 'usr/lib/git-core/git-remote-http'));
    await symlink('git-remote-http', join(root, 'usr/lib/git-core/git-remote-https'));
    await addLibraries(root, overHttp);
    await symlink('usr/bin', join(root, 'bin'));
  });
  await built(config, REDIS_IMAGE, (root) => addProgram(root, 'redis-server'), [
    '/usr/bin/redis-server',
  ]);
  const controller = ['argo-workflows', 'workflow-controller'] as const;
  await stackProgram(config, CONTROLLER_IMAGE, controller, 'workflow-controller');
  await stackProgram(config, ARGOEXEC_IMAGE, ['argo-workflows', 'argoexec'], 'argoexec');
  await stackProgram(config, SEALED_IMAGE, ['sealed-secrets', 'sealed-secrets'], 'controller');
  await stackProgram(config, NATS_IMAGE, ['nats', 'nats-server'], 'nats-server');
  const events = ['argo-events', 'argo-events'] as const;
  await stackProgram(config, EVENTS_IMAGE, events, 'argo-events', ['/usr/bin/argo-events']);
  const idle = await standin(config);
  await built(config, IDLE_IMAGE, (root) => cp(idle, join(root, 'usr/bin/standin')), [
    ...['/usr/bin/standin', 'pause'],
  ]);
}

/** One program of the stack, by the name that its chart calls. */
function stackProgram(
  config: Config,
  reference: string,
  program: readonly [string, string],
  name: string,
  entrypoint?: readonly string[],
) {
  const source = join(moduleDirectory(config, program[0]), program[1]);
  return built(config, reference, (root) => cp(source, join(root, 'usr/bin', name)), entrypoint);
}

async function built(
  config: Config,
  reference: string,
  fill: (root: string) => Promise<void>,
  entrypoint?: readonly string[],
): Promise<void> {
  const context = await mkdtemp(join(config.state, 'pod-image-'));
  try {
    const root = join(context, 'image');
    for (const folder of ['usr/bin', 'etc', 'tmp']) {
      await mkdir(join(root, folder), { recursive: true });
    }
    await chmod(join(root, 'tmp'), 0o1777);
    await writeFile(join(root, 'etc/passwd'), `argocd:x:${USER}:${USER}::/tmp:/bin/sh\n`);
    await fill(root);
    const start = entrypoint ? [`ENTRYPOINT ${JSON.stringify(entrypoint)}`] : [];
    const lines = ['FROM scratch', 'COPY image /', ...start, `USER ${USER}:${USER}`];
    const path = 'ENV PATH=/usr/local/bin:/usr/bin:/bin HOME=/tmp';
    await writeFile(join(context, 'Dockerfile'), [...lines, path, ''].join('\n'));
    await image(config, context, reference, { keep: false });
  } finally {
    await rm(context, { recursive: true, force: true });
  }
}

/** A program of this machine under /usr/bin, with its libraries where it looks for them. */
export async function addProgram(root: string, name: string): Promise<void> {
  const program = await realpath(findProgram(name, process.env.PATH ?? '') ?? name);
  await cp(program, join(root, 'usr/bin', name));
  await addLibraries(root, program);
}
