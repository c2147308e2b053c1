// kubectl as the cluster's administrator.

import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { loadAll } from 'js-yaml';
import { binDirectory, type Config, stackEnvironment } from './config.ts';
import { run, waitFor } from './run.ts';

export function kubectl(config: Config, args: string[], input?: string): Promise<string> {
  const env = { ...process.env, ...stackEnvironment(config, process.env) };
  const options = input === undefined ? { env } : { env, input };
  return run(join(binDirectory(config), 'kubectl'), args, options);
}

/** Server-side: the larger CRDs do not fit into the annotation that the other way needs. */
export const applyArguments = ['apply', '--server-side', '--force-conflicts'];

/** Applies one of manifests/, with words in capitals replaced. */
export async function applyManifest(
  config: Config,
  name: string,
  replace: Readonly<Record<string, string>> = {},
): Promise<void> {
  let text = await readFile(join(import.meta.dirname, 'manifests', name), 'utf8');
  for (const [word, value] of Object.entries(replace)) text = text.replaceAll(word, value);
  // A manager of its own: what we add to an object of upstream's manifests takes nothing away from it.
  const args = [...applyArguments, '--field-manager=tiphys-stack', '-f', '-'];
  await kubectl(config, args, text);
}

/** Applies CustomResourceDefinitions, once: some have megabytes. Then waits until their kinds are served. */
export async function applyDefinitions(config: Config, directory: string): Promise<void> {
  const mark = join(config.state, 'definitions', directory.replaceAll('/', '_'));
  if (existsSync(mark)) return;
  const args = [...applyArguments, '--validate=false', '--output=name', '-f', '-'];
  const names = await kubectl(config, args, await definitionsIn(directory));
  const wait = ['wait', '--for=condition=Established', '--timeout=10s'];
  // `kubectl wait` fails on one that has no condition at all yet, so it is asked again.
  await waitFor(`the kinds of ${directory} to be served`, () =>
    kubectl(config, [...wait, ...names.trim().split('\n')]).catch(() => false),
  );
  await mkdir(dirname(mark), { recursive: true });
  await writeFile(mark, '');
}

/** As JSON, which kubectl reads ten times as fast as YAML. */
async function definitionsIn(directory: string): Promise<string> {
  const isManifest = (name: string) => name.endsWith('.yaml') && name !== 'kustomization.yaml';
  const files = (await readdir(directory)).filter(isManifest);
  const texts = await Promise.all(files.map((name) => readFile(join(directory, name), 'utf8')));
  const items = texts.flatMap((text) => loadAll(text));
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
}

export async function makeNamespace(config: Config, name: string): Promise<void> {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
  await kubectl(config, [...applyArguments, '-f', '-'], JSON.stringify(namespace));
}

/** Until a Deployment has all its pods ready. */
export async function rolledOut(config: Config, namespace: string, name: string): Promise<void> {
  const args = ['rollout', 'status', `deployment/${name}`, '--timeout=90s'];
  await kubectl(config, ['--namespace', namespace, ...args]);
}
