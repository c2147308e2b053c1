// Brings the stack up, and down. Both can be repeated, and both take over whatever an earlier command left.

import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { argocdAnswers, argocdObjects, makeTokens, startArgocd } from './argocd.ts';
import { build, linkPrograms } from './build.ts';
import { clusterReady, furnishCluster, startControlPlane, startNode } from './cluster.ts';
import { type Config, recordedShape, shapeFile } from './config.ts';
import { Failure, NOT_USABLE } from './failure.ts';
import { stackImages } from './images.ts';
import { interrupt } from './interrupt.ts';
import { machineHolder, makeMachine, removeMachine } from './machine.ts';
import { checkNeeds, findProgram } from './needs.ts';
import { makeCredentials } from './pki.ts';
import { forgetEnded, whileAlive } from './processes.ts';
import { progress, secondsSince } from './progress.ts';
import { writeSettings } from './settings.ts';
import { killAll } from './sweep.ts';
import { startWorkflows } from './workflows.ts';

export function checkMachine(): void {
  const path = process.env.PATH ?? '';
  checkNeeds({
    uid: process.getuid?.() ?? -1,
    platform: process.platform,
    has: (programOrFile) => findProgram(programOrFile, path) !== undefined,
    goVersion: () =>
      findProgram('go', path) && execFileSync('go', ['env', 'GOVERSION'], { encoding: 'utf8' }),
  });
}

export async function up(config: Config): Promise<void> {
  checkMachine();
  await build(config);
  const start = performance.now();
  if (!(await machineHolder(config))) await down(config); // What a crash or a restart of the machine left.
  checkShape(config);
  const holder = await makeMachine(config);
  progress(`the stack's namespaces are open, held by process ${holder.pid}`);
  await writeFile(shapeFile(config), config.argocd);
  await linkPrograms(config);
  await makeCredentials(config);
  await writeSettings(config);
  await startAll(config, await stackImages(config));
  progress(`up, in ${secondsSince(start)} s`);
}

function checkShape(config: Config): void {
  const running = recordedShape(config.state) ?? 'none';
  if (running === 'none' || config.argocd !== 'none') return;
  throw new Failure("Argo CD is up and cannot be taken out: run 'down' first", NOT_USABLE);
}

/** What does not wait for each other goes on side by side. A program that ends on the way ends all of it. */
async function startAll(config: Config, images: readonly string[]): Promise<void> {
  await forgetEnded(config);
  const controlPlane = startControlPlane(config);
  const node = startNode(config, images);
  const work = Promise.all([
    controlPlane,
    node.then(() => furnishCluster(config)).then(() => clusterReady(config)),
    ...(config.argocd === 'none'
      ? []
      : [
          controlPlane
            .then(() => argocdObjects(config))
            .then(() => startArgocd(config))
            .then(() => node)
            .then(() => argocdAnswers(config))
            .then(() => makeTokens(config)),
          controlPlane.then(() => startWorkflows(config)),
        ]),
  ]);
  try {
    await whileAlive(config, work);
  } catch (error) {
    interrupt(error);
    throw error;
  }
}

export async function down(config: Config): Promise<void> {
  await killAll(config);
  await removeMachine(config);
}
