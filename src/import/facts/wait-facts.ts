// Jobs, hooks and init containers that wait: what they wait for is what the application needs.

import { lookUp } from '../../model/lookup.ts';
import { findWaits } from '../waits/find-waits.ts';
import type { Wait, WaitTarget } from '../waits/wait.ts';
import { serviceAddresses } from './addresses.ts';
import type { Facts, Needed, Provided, Subjects, Target } from './fact.ts';
import { addressTargets } from './service-facts.ts';

const SHORT: Readonly<Record<string, string>> = {
  cm: 'configmap',
  deploy: 'deployment',
  ds: 'daemonset',
  ns: 'namespace',
  po: 'pod',
  pvc: 'persistentvolumeclaim',
  sts: 'statefulset',
  svc: 'service',
};
const WORKLOADS: Readonly<Record<string, string>> = {
  daemonset: 'apps/DaemonSet',
  deployment: 'apps/Deployment',
  job: 'batch/Job',
  statefulset: 'apps/StatefulSet',
};

export function waitFacts({ application, objects }: Subjects): Facts {
  const { destination } = application;
  const waits = findWaits({ objects, destination }).filter(({ verdict }) => verdict !== 'acts');
  const itself: Provided = { subject: 'application', key: application.name, rank: 'shown' };
  return { provides: [itself], needs: waits.flatMap(needsOf) };
}

function needsOf(wait: Wait): Needed[] {
  const isInit = wait.shape === 'init-container';
  return wait.targets.flatMap((target): Needed[] => {
    const wants = targetsOf(target, wait.namespace);
    if (wants.length === 0) return [];
    return [
      {
        evidence: isInit ? 'init-container' : 'wait-job',
        wants,
        strength: 'soft',
        // What may change something, too, is perhaps more than a wait.
        confidence: wait.verdict === 'waits' ? 'high' : 'medium',
        text: `${isInit ? 'An init container' : 'A Job'} waits for ${textOf(target)}`,
        where: wait.object,
        ...(wait.verdict === 'waits' ? {} : { guess: true }),
      },
    ];
  });
}

function textOf({ kind, namespace, name, resource, host }: WaitTarget): string {
  const what = resource ?? (kind === 'crd' ? 'the definition of' : kind);
  return [what, host ?? [namespace, name].filter((part) => part !== undefined).join('/')]
    .filter((part) => part !== '')
    .join(' ');
}

function targetsOf(target: WaitTarget, own: string): Target[] {
  const { kind, name = '', namespace = own, host = '' } = target;
  if (kind === 'service') return addressTargets({ service: name, namespace, isCertain: true });
  if (kind === 'crd') return definitionTargets(name, target.group);
  if (kind === 'namespace') return [{ subject: 'namespace', key: name === '' ? namespace : name }];
  if (kind === 'url') return serviceAddresses(host).flatMap(addressTargets);
  if (kind === 'pods') return [{ subject: 'place', key: namespace }];
  return resourceTargets(target, namespace);
}

function definitionTargets(name: string, group: string | undefined): Target[] {
  const own = group ?? name.slice(name.indexOf('.') + 1);
  return name === '' || own === ''
    ? []
    : [
        { subject: 'plural', key: name },
        { subject: 'group', key: own },
      ];
}

/** The object by its name; else the only one in its namespace. */
function resourceTargets({ resource = '', name }: WaitTarget, namespace: string): Target[] {
  const [word = ''] = resource.toLowerCase().split('.');
  const singular = lookUp(SHORT, word) ?? word.replace(/(?<=[^s])s$/, '');
  if (name === undefined) return [{ subject: 'place', key: namespace }];
  const key = `${namespace}/${name}`;
  if (singular === 'secret') return [{ subject: 'secret', key }];
  if (singular === 'configmap') return [{ subject: 'config-map', key }];
  if (singular === 'namespace') return [{ subject: 'namespace', key: name }];
  if (singular === 'application' || singular === 'app')
    return [{ subject: 'application', key: name }];
  if (singular === 'service') return addressTargets({ service: name, namespace, isCertain: true });
  const workload = lookUp(WORKLOADS, singular);
  const shown: Target[] = workload ? [{ subject: 'resource', key: `${workload} ${key}` }] : [];
  return [
    ...shown,
    { subject: 'named', key: `${singular} ${key}` },
    { subject: 'named', key: `${singular} */${name}` },
    ...addressTargets({ service: name, namespace, isCertain: true }).slice(1),
  ];
}
