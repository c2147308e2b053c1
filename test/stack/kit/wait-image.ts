// What Jobs that wait are made of: a shell, sleep and kubectl, from files of this machine.

import { cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { binDirectory } from '../config.ts';
import { image } from '../images.ts';
import { addProgram } from '../pod-images.ts';
import type { Scratch } from './scratch.ts';

export const WAIT_IMAGE = 'localhost/wait:1';

const DOCKERFILE = `FROM scratch
COPY image /
ENV PATH=/usr/bin HOME=/tmp
`;

/** Builds it and loads it into the node. */
export async function waitImage({ stack: { config } }: Scratch): Promise<void> {
  const context = await mkdtemp(join(config.state, 'wait-image-'));
  try {
    const root = join(context, 'image');
    const bin = join(root, 'usr/bin');
    for (const folder of [bin, join(root, 'tmp')]) await mkdir(folder, { recursive: true });
    for (const program of ['sh', 'sleep']) await addProgram(root, program);
    await cp(await realpath(join(binDirectory(config), 'kubectl')), join(bin, 'kubectl'));
    await symlink('usr/bin', join(root, 'bin'));
    await writeFile(join(context, 'Dockerfile'), DOCKERFILE);
    await image(config, context, WAIT_IMAGE, { keep: false });
  } finally {
    await rm(context, { recursive: true, force: true });
  }
}
