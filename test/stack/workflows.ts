// Argo Workflows: CRDs of its own version, the controller as a process; steps run as pods in namespace `argo`.

import { join } from 'node:path';
import { moduleDirectory } from './build.ts';
import type { Config } from './config.ts';
import { applyDefinitions, applyManifest, makeNamespace } from './kubectl.ts';
import { start, untilReady } from './processes.ts';
import { workflowController } from './programs/argo.ts';

export async function startWorkflows(config: Config): Promise<void> {
  const crds = join(moduleDirectory(config, 'argo-workflows'), 'manifests');
  await makeNamespace(config, 'argo');
  await applyDefinitions(config, crds);
  await applyManifest(config, 'workflows.yaml');
  await start(config, workflowController(config));
  await untilReady(config, [workflowController(config)]);
}
