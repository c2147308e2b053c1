// Argo CD as it is built here: its source, and its program for questions that need no cluster.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { moduleDirectory } from '../build.ts';
import { loadConfig } from '../config.ts';
import { moduleSource } from '../modules.ts';
import { run } from '../run.ts';

export const argocdSource = (): Promise<string> => moduleSource('argo-cd');

export interface Asked {
  readonly status: string;
  readonly message: string;
}

/** The health that Argo CD's own program gives an object, with these entries of argocd-cm. */
export async function askArgocd(
  object: unknown,
  data: Readonly<Record<string, string>>,
): Promise<Asked> {
  const folder = await mkdtemp(join(tmpdir(), 'tiphys-health-'));
  try {
    const labels = { 'app.kubernetes.io/part-of': 'argocd' };
    const metadata = { name: 'argocd-cm', namespace: 'argocd', labels };
    const settings = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
    await writeFile(join(folder, 'argocd-cm.yaml'), JSON.stringify(settings));
    await writeFile(join(folder, 'object.yaml'), JSON.stringify(object));
    const program = join(moduleDirectory(loadConfig(process.env), 'argo-cd'), 'argocd');
    const command = ['admin', 'settings', 'resource-overrides', 'health'];
    const args = [...command, join(folder, 'object.yaml'), '--argocd-cm-path'];
    const env = { ...process.env, ARGOCD_BINARY_NAME: 'argocd', TZ: 'UTC' };
    return answerIn(await run(program, [...args, join(folder, 'argocd-cm.yaml')], { env }));
  } finally {
    await rm(folder, { recursive: true });
  }
}

function answerIn(printed: string): Asked {
  const [, status, message] = /^STATUS: (.*)\nMESSAGE: ([\s\S]*)\n$/.exec(printed) ?? [];
  if (status === undefined || message === undefined) throw new Error(`no health in: ${printed}`);
  return { status, message };
}
