// Kubernetes on one node: the programs in their order, the images, then DNS and storage as pods.

import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Config, volumesDirectory } from './config.ts';
import { loadImage } from './images.ts';
import { applyManifest, kubectl, rolledOut } from './kubectl.ts';
import { start, untilReady, whileAlive } from './processes.ts';
import * as programs from './programs/cluster.ts';
import { progress } from './progress.ts';
import { waitFor } from './run.ts';

/** Up to where objects can be applied. The nodes' side goes on meanwhile: see `startNode`. */
export async function startControlPlane(config: Config): Promise<void> {
  await start(config, programs.etcd(config));
  await start(config, programs.containerd(config));
  await untilReady(config, [programs.etcd(config)]);
  await start(config, programs.apiServer(config));
  await untilReady(config, [programs.apiServer(config)]);
  progress('the API server is ready');
  await start(config, programs.controllerManager(config));
  await start(config, programs.scheduler(config));
}

/** Loads the images and starts the kubelet, without which pods stay pending. */
export async function startNode(config: Config, archives: readonly string[]): Promise<void> {
  await untilReady(config, [programs.containerd(config)]);
  for (const archive of archives) await loadOnce(config, archive);
  progress('the images are loaded');
  await untilReady(config, [programs.apiServer(config)]);
  await start(config, programs.kubelet(config));
  await start(config, programs.kubeProxy(config));
  const node = () => kubectl(config, ['get', 'node', 'node1', '--output=name']).catch(() => false);
  await whileAlive(config, waitFor('the node to register', node));
}

async function loadOnce(config: Config, archive: string): Promise<void> {
  const mark = join(config.state, 'images', basename(archive));
  if (existsSync(mark)) return;
  await loadImage(config, archive);
  await mkdir(join(config.state, 'images'), { recursive: true });
  await writeFile(mark, '');
}

export async function furnishCluster(config: Config): Promise<void> {
  await applyManifest(config, 'coredns.yaml');
  await applyManifest(config, 'storage.yaml', { VOLUMES: volumesDirectory(config) });
  await rolledOut(config, 'kube-system', 'coredns');
  await rolledOut(config, 'kube-system', 'provisioner');
  progress('Kubernetes is ready: pods run, DNS and storage work');
}

/** Every process of the cluster has come so far that it says so. */
export async function clusterReady(config: Config): Promise<void> {
  await untilReady(config, [
    programs.controllerManager(config),
    programs.scheduler(config),
    programs.kubelet(config),
    programs.kubeProxy(config),
  ]);
}
