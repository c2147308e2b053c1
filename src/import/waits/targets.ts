// What a command waits for: the object that kubectl is asked about, or the host that it calls.
import { operands } from './commands.ts';
import { K8S_WAIT_FOR } from './containers.ts';
import type { WaitTarget } from './wait.ts';

export function targetsOf(words: readonly string[], namespace: string): WaitTarget[] {
  const name = (words[0] ?? '').split('/').at(-1) ?? '';
  if (name === 'kubectl' || name === 'oc' || name === 'k') return kubectlTargets(words, namespace);
  if (name === 'wait-for' && operands(words.slice(1)).length > 0 && !words.some(hasPort)) {
    return toolTargets(words, namespace);
  }
  if (name === K8S_WAIT_FOR) return kubectlTargets([name, 'wait', ...words.slice(1)], namespace);
  return hostTargets(name, words.slice(1), namespace);
}

const hasPort = (word: string): boolean => /:\d+/.test(word);

function optionOf(words: readonly string[], ...names: readonly string[]): string | undefined {
  for (const [at, word] of words.entries()) {
    if (names.includes(word)) return words[at + 1];
    const name = names.find((one) => word.startsWith(`${one}=`));
    if (name !== undefined) return word.slice(name.length + 1);
    if (names.includes(word.slice(0, 2)) && /^-[a-z][^=]/.test(word) && !word.startsWith('--')) {
      return word.slice(2);
    }
  }
  return undefined;
}

function kubectlTargets(words: readonly string[], own: string): WaitTarget[] {
  const [verb = '', ...rest] = operands(words.slice(1));
  const types = verb === 'rollout' ? rest.slice(1) : rest;
  const namespace = optionOf(words, '-n', '--namespace') ?? own;
  const labels = optionOf(words, '-l', '--selector');
  if (!['get', 'wait', 'rollout', 'describe', 'logs'].includes(verb)) return [];
  return named(types).map(([type, name]) => objectTarget(type, name, namespace, labels));
}

/** TYPE/NAME ..., or TYPE NAME ..., or TYPE alone. */
function named(words: readonly string[]): [type: string, name: string | undefined][] {
  const [type, ...names] = words.filter((word) => !word.includes('$'));
  if (type === undefined) return [];
  if (type.includes('/')) return words.flatMap(slashed);
  if (names.length === 0) return type.split(',').map((one) => [one, undefined]);
  return names.map((name) => [type, name]);
}

function slashed(word: string): [string, string][] {
  const [type = '', name = ''] = word.split('/', 2);
  return type === '' || name === '' ? [] : [[type, name]];
}

const SERVICES = new Set(['service', 'services', 'svc', 'endpoints', 'ep', 'endpointslice']);
const PODS = new Set(['pod', 'pods', 'po']);
const NAMESPACES = new Set(['namespace', 'namespaces', 'ns']);
const DEFINITIONS = /^(?:crds?|customresourcedefinitions?)(?:\.apiextensions\.k8s\.io)?$/;

function objectTarget(
  type: string,
  name: string | undefined,
  namespace: string,
  labels: string | undefined,
): WaitTarget {
  const lower = type.toLowerCase();
  const rest = { ...(name !== undefined && { name }), ...(labels !== undefined && { labels }) };
  if (DEFINITIONS.test(lower)) {
    const group = name?.split('.').slice(1).join('.');
    return { kind: 'crd', ...rest, ...(group && { group }) };
  }
  if (NAMESPACES.has(lower)) return { kind: 'namespace', ...rest };
  if (SERVICES.has(lower)) return { kind: 'service', namespace, ...rest };
  if (PODS.has(lower)) return { kind: 'pods', namespace, ...rest };
  const [resource = lower, ...group] = lower.split('.');
  return {
    ...{ kind: 'resource', namespace, resource, ...rest },
    ...(group.length > 0 && { group: group.join('.') }),
  };
}

/** wait-for TYPE --namespace NS --label L | --name N: a shape that several images share. */
function toolTargets(words: readonly string[], own: string): WaitTarget[] {
  const [type = ''] = operands(words.slice(1));
  const namespace = optionOf(words, '--namespace', '-n') ?? own;
  const labels = optionOf(words, '--label', '--selector', '-l');
  const name = optionOf(words, '--name');
  return name === undefined && labels === undefined
    ? []
    : [objectTarget(type, name, namespace, labels)];
}

const HOST_OPTIONS = new Set(['-h', '--host', '-wait', '--wait', '-host']);
const BY_NAME = new Set(['nslookup', 'dig', 'host', 'getent', 'ping']);
const BY_HOST_AND_PORT = new Set(['nc', 'ncat', 'netcat']);
const URL_HOST =
  /^(?:https?|tcp|grpc|redis|postgres(?:ql)?|mysql|amqp):\/\/(?:[^@/\s]*@)?([A-Za-z0-9.-]+)/;
const HOST = /^[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9-]+)*$/;
const PORT = /^\d+$/;

/** The hosts that a program is told to call: as a URL, as HOST:PORT, as the value of an option, or in the program's own way. */
function hostTargets(name: string, words: readonly string[], namespace: string): WaitTarget[] {
  return words.flatMap((written, at) => {
    const word = written.replace(/^--?[a-z-]+=/, '');
    if (word.length > 2_000 || word.startsWith('-')) return [];
    const url = URL_HOST.exec(word)?.[1];
    if (url !== undefined) return serviceOrUrl(url, namespace);
    const [host = '', port = ''] = word.split(':');
    if (PORT.test(port) && HOST.test(host)) return serviceOrUrl(host, namespace);
    const isHost =
      HOST_OPTIONS.has(words[at - 1] ?? '') ||
      word.includes('.svc') ||
      (BY_HOST_AND_PORT.has(name) && PORT.test(words[at + 1] ?? '') && !PORT.test(word)) ||
      (BY_NAME.has(name) && word !== 'hosts');
    return isHost && HOST.test(word) ? serviceOrUrl(word, namespace) : [];
  });
}

/** A host with no dot, or one of the cluster's domain, is a Service. */
export function serviceOrUrl(host: string, own: string): WaitTarget[] {
  if (host === 'localhost' || /^[\d.]+$/.test(host)) return [];
  const [name = '', namespace, third] = host.split('.');
  if (namespace === undefined) return [{ kind: 'service', namespace: own, name, host }];
  if (third === undefined || third === 'svc') return [{ kind: 'service', namespace, name, host }];
  return [{ kind: 'url', host }];
}
