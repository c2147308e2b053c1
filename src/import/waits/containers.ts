// The containers of an Application that run before something else may: Jobs, hooks and init containers, with the script of each.

import { lookUp } from '../../model/lookup.ts';
import { fieldsOf, listOf } from '../facts/object.ts';
import type { ApplicationMaterial, KubernetesObject } from '../material.ts';
import type { Wait } from './wait.ts';

export interface WaitingContainer {
  readonly object: string;
  readonly namespace: string;
  readonly shape: Wait['shape'];
  readonly serviceAccount: string;
  /** A script for a shell, or the words of one command; undefined where the image alone decides. */
  readonly script?: string;
  readonly words?: readonly string[];
  readonly environment: ReadonlyMap<string, string>;
}

type Fields = Readonly<Record<string, unknown>>;

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const TEMPLATES: Readonly<Record<string, readonly string[]>> = {
  Job: ['spec', 'template', 'spec'],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
  Deployment: ['spec', 'template', 'spec'],
  StatefulSet: ['spec', 'template', 'spec'],
  DaemonSet: ['spec', 'template', 'spec'],
  Pod: ['spec'],
};

export function waitingContainers(
  application: Pick<ApplicationMaterial, 'objects' | 'destination'>,
): WaitingContainer[] {
  return application.objects.flatMap((object) => containersOf(object, application));
}

function containersOf(
  object: KubernetesObject,
  { objects, destination }: Pick<ApplicationMaterial, 'objects' | 'destination'>,
): WaitingContainer[] {
  const path = lookUp(TEMPLATES, object.kind ?? '');
  const hook = hookOf(object);
  if (!path || hook === 'test') return [];
  const pod = path.reduce<Fields>((fields, key) => fieldsOf(fields[key]), object);
  const namespace = textOf(fieldsOf(object.metadata).namespace) || destination.namespace;
  const name = `${object.kind}/${textOf(fieldsOf(object.metadata).name) || textOf(fieldsOf(object.metadata).generateName)}`;
  const serviceAccount = textOf(pod.serviceAccountName) || 'default';
  const scripts = { pod, namespace, objects };
  const shape = hook === 'none' ? 'job' : 'hook';
  const own = object.kind === 'Job' || (object.kind === 'Pod' && shape === 'hook');
  return [
    ...listOf(pod.initContainers).map((one) => ({
      ...containerOf(one, scripts),
      ...{ object: `${name}/${textOf(fieldsOf(one).name)}`, namespace, serviceAccount },
      shape: 'init-container' as const,
    })),
    ...(own ? listOf(pod.containers) : []).map((one) => ({
      ...containerOf(one, scripts),
      ...({ object: name, namespace, serviceAccount, shape } as const),
    })),
  ];
}

/** Argo CD runs Helm's hooks as its own, except for tests, which it leaves out. */
function hookOf(object: KubernetesObject): 'none' | 'test' | 'hook' {
  const annotations = fieldsOf(fieldsOf(object.metadata).annotations);
  if (textOf(annotations['argocd.argoproj.io/hook']) !== '') return 'hook';
  const helm = textOf(annotations['helm.sh/hook']);
  if (helm === '') return 'none';
  return helm.split(',').every((one) => one.trim().startsWith('test')) ? 'test' : 'hook';
}

interface ScriptPlace {
  readonly pod: Fields;
  readonly namespace: string;
  readonly objects: readonly KubernetesObject[];
}

/** k8s-wait-for TYPE NAME | -lLABEL [-n NAMESPACE]: its image is used with arguments alone. */
export const K8S_WAIT_FOR = 'k8s-wait-for';
const SHELL = /(?:^|\/)(?:ba|da|a|z|k)?sh$/;

function containerOf(
  value: unknown,
  place: ScriptPlace,
): Pick<WaitingContainer, 'script' | 'words' | 'environment'> {
  const container = fieldsOf(value);
  const environment = environmentOf(container);
  const own = [...listOf(container.command), ...listOf(container.args)].map((word) =>
    expanded(String(word), environment),
  );
  const program = listOf(container.command).length === 0 ? waiterOf(container.image) : undefined;
  const words = program === undefined || own.length === 0 ? own : [program, ...own];
  if (words.length === 0) return { environment };
  if (!SHELL.test(words[0] ?? '')) {
    const file = mountedFile(words[0] ?? '', container, place);
    return file === undefined ? { words, environment } : { script: file, environment };
  }
  const at = words.findIndex((word) => /^-[a-z]*c$/.test(word));
  if (at >= 0) return { script: words[at + 1] ?? '', environment };
  const file = words.slice(1).find((word) => !word.startsWith('-'));
  const text = file === undefined ? undefined : mountedFile(file, container, place);
  return text === undefined ? { words, environment } : { script: text, environment };
}

/** An image that is called as the program that it starts. */
function waiterOf(image: unknown): string | undefined {
  const name = textOf(image).split('/').at(-1)?.split(/[:@]/)[0] ?? '';
  return name === K8S_WAIT_FOR ? name : undefined;
}

function environmentOf(container: Fields): Map<string, string> {
  return new Map(
    listOf(container.env).flatMap((entry) => {
      const { name, value } = fieldsOf(entry);
      return typeof name === 'string' && typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}

/** $(NAME), which Kubernetes itself replaces in commands and arguments. */
function expanded(word: string, environment: ReadonlyMap<string, string>): string {
  let result = word;
  for (const [name, value] of environment) result = result.replaceAll(`$(${name})`, value);
  return result;
}

/** A script that a ConfigMap of the same Application brings. */
function mountedFile(path: string, container: Fields, place: ScriptPlace): string | undefined {
  for (const entry of listOf(container.volumeMounts)) {
    const mount = fieldsOf(entry);
    const folder = textOf(mount.mountPath);
    if (folder === '' || !(path === folder || path.startsWith(`${folder.replace(/\/$/, '')}/`)))
      continue;
    const key =
      path === folder ? textOf(mount.subPath) : path.slice(folder.replace(/\/$/, '').length + 1);
    const volume = listOf(place.pod.volumes)
      .map(fieldsOf)
      .find(({ name }) => name === mount.name);
    const text = volume && configMapText(volume, key, place);
    if (text !== undefined) return text;
  }
  return undefined;
}

function configMapText(volume: Fields, key: string, place: ScriptPlace): string | undefined {
  const sources = [volume, ...listOf(fieldsOf(volume.projected).sources).map(fieldsOf)];
  for (const source of sources) {
    const configMap = fieldsOf(source.configMap);
    const name = configMap.name;
    const item = listOf(configMap.items)
      .map(fieldsOf)
      .find(({ path }) => path === key);
    const object = place.objects.find(
      ({ kind, metadata }) => kind === 'ConfigMap' && fieldsOf(metadata).name === name,
    );
    const text = fieldsOf(object?.data)[textOf(item?.key) || key];
    if (name !== undefined && typeof text === 'string') return text;
  }
  return undefined;
}
