// A platform as it lies in Git and in Argo CD before its first deployment: parents whose folders hold their members'
// Applications, members whose folders hold a workload that takes its time.

import type { Generated } from '../model/generator-keys.ts';
import type { Application, ApplicationAddress, Platform, Stack } from '../model/platform.ts';
import { PROBES_NAMESPACE, type Settings } from '../model/settings.ts';
import { API, FINALIZER } from '../simulator/argocd/application.ts';
import type { KubeObject } from '../simulator/cluster/object-store.ts';
import { BECOMES } from '../simulator/workload/workloads.ts';
import type { Rehearsal } from './rehearsal.ts';

const REPOSITORY = 'https://git.example/platform.git';
const TOKEN = 'rehearsal';
/** What a node needs beside its workload's own time, in seconds: request, operation, comparisons. */
const OVERHEAD = 2;

/** Seconds from the sync request to the gate, dwell included. */
export type Durations = (application: string) => number | undefined;

export function populate(
  rehearsal: Rehearsal,
  platform: Platform,
  durations: Durations = () => undefined,
): void {
  const { objects, git } = rehearsal;
  const namespaces = new Set([rehearsal.namespace]);
  const members = platform.stacks.flatMap(({ applications }) => applications);
  const parents = [platform, ...platform.stacks].flatMap(({ address }) => address ?? []);
  for (const { address } of members) namespaces.add(address.namespace);
  const gates = [...members, ...platform.stacks].map(({ settings }) => settings.gate);
  // As workflows/rights.yaml makes it, and as the environment names it.
  if (gates.some(({ probe }) => probe !== undefined))
    for (const name of [PROBES_NAMESPACE, platform.probes.namespace]) namespaces.add(name);
  for (const name of [...namespaces, 'platform'])
    objects.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  argocd(rehearsal);
  const addresses = [...members.map(({ address }) => address), ...parents];
  for (const project of new Set(addresses.map(({ project }) => project)))
    objects.create(appProject(project, rehearsal.namespace));
  for (const member of members) {
    const seconds = durations(member.name) ?? member.settings.expectedDuration;
    for (const name of namesOf(member))
      git.commit(REPOSITORY, name, [workload(name, seconds, member.settings)]);
  }
  bringIn(rehearsal, platform);
}

/** Who has a parent comes with it; the others are there already. */
function bringIn({ objects, git }: Rehearsal, platform: Platform): void {
  /** What is made for a stack where it is, or for the platform: its own Application, or else what is in it. */
  const madeIn = (parent: string | undefined): KubeObject[] =>
    platform.stacks
      .filter((stack) => stack.parent === parent)
      .flatMap((stack) => (stack.address ? [application(stack.address)] : inside(stack)));
  const inside = ({ name, applications }: Stack): KubeObject[] => [
    ...applications.map(manifest),
    ...madeIn(name),
  ];
  for (const stack of platform.stacks) {
    if (stack.address) git.commit(REPOSITORY, stack.address.name, inside(stack));
  }
  const top = madeIn(undefined);
  if (platform.address) git.commit(REPOSITORY, platform.address.name, top);
  for (const object of platform.address ? [application(platform.address)] : top)
    objects.create(object);
}

/** Its Application, or the generator of its Applications. */
const manifest = (member: Application): KubeObject =>
  member.generated ? generator(member, member.generated) : application(member.address);

/** The Applications that a member has here. Of a generated one, as many as it asks for, and two at least. */
export function namesOf({ name, address, generated }: Application): string[] {
  if (!generated) return [name];
  const count = Math.max(LEAST_GENERATED, generated.atLeast);
  const middle = address.name === '*' ? `${name}-` : '';
  return Array.from({ length: count }, (_, at) => address.name.replace('*', `${middle}${at + 1}`));
}

const LEAST_GENERATED = 2;

function generator(member: Application, generated: Generated): KubeObject {
  const { name, address } = member;
  const { metadata, spec } = application({ ...address, name: '{{name}}' });
  const { name: template, finalizers } = metadata;
  return {
    apiVersion: API,
    kind: 'ApplicationSet',
    metadata: {
      name: generated.applicationSet ?? `${name}-generator`,
      namespace: address.namespace,
    },
    spec: {
      generators: [{ list: { elements: namesOf(member).map((one) => ({ name: one })) } }],
      template: { metadata: { name: template, finalizers, labels: generated.matchLabels }, spec },
    },
  };
}

function argocd({ objects, namespace, accounts }: Rehearsal): void {
  const labels = { 'app.kubernetes.io/name': 'argocd-server' };
  objects.create({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'argocd-server', namespace, labels },
    spec: { ports: [{ name: 'http', port: 80 }] },
  });
  objects.create({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'tiphys-argocd-token', namespace },
    data: { token: btoa(TOKEN) },
  });
  accounts.set(TOKEN, { username: 'tiphys', may: () => true });
}

function appProject(name: string, namespace: string): KubeObject {
  return {
    apiVersion: API,
    kind: 'AppProject',
    metadata: { name, namespace },
    spec: { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }] },
  };
}

function application({ name, namespace, project }: ApplicationAddress): KubeObject {
  return {
    apiVersion: API,
    kind: 'Application',
    metadata: { name, namespace, finalizers: [FINALIZER] },
    spec: {
      project,
      source: { repoURL: REPOSITORY, path: name, targetRevision: 'main' },
      destination: { server: 'https://kubernetes.default.svc', namespace: 'platform' },
      syncPolicy: { automated: { selfHeal: true }, syncOptions: ['CreateNamespace=true'] },
    },
  };
}

function workload(name: string, seconds: number, { gate }: Settings): KubeObject {
  const becomes = Math.max(0, seconds - gate.dwell - OVERHEAD);
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, annotations: { [BECOMES]: String(becomes) } },
    spec: { replicas: 1, template: { metadata: { labels: { app: name } } } },
  };
}
