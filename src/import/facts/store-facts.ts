// Stores of External Secrets: who has them, and what reads or writes secrets through them.
import type { KubernetesObject } from '../material.ts';
import type { Facts, Needed, Provided, Subjects, Target } from './fact.ts';
import { fieldsOf, kindOf, listOf, nameOf, namespaceOf, textOf, walk, whereOf } from './object.ts';

const GROUP = 'external-secrets.io';

export function storeFacts(subjects: Subjects): Facts {
  const ours = subjects.objects.filter((object) => kindOf(object).group === GROUP);
  return {
    provides: ours.flatMap((object) => store(object, subjects)),
    needs: ours.flatMap((object) => storeNeeds(object, subjects)),
  };
}

function store(object: KubernetesObject, { application }: Subjects): Provided[] {
  const { kind } = kindOf(object);
  const name = nameOf(object);
  if (kind === 'ClusterSecretStore') return [{ subject: 'store', key: `*/${name}`, rank: 'shown' }];
  if (kind !== 'SecretStore') return [];
  const key = `${namespaceOf(object, application)}/${name}`;
  return [{ subject: 'store', key, rank: 'shown' }];
}

export function storeTarget(kind: string, namespace: string, name: string): Target {
  return { subject: 'store', key: kind === 'SecretStore' ? `${namespace}/${name}` : `*/${name}` };
}

function storeNeeds(object: KubernetesObject, { application, hasHealth }: Subjects): Needed[] {
  const needs: Needed[] = [];
  const add = (value: unknown) => {
    const { name, kind } = fieldsOf(value);
    const store = textOf(name);
    if (!store) return;
    const type = textOf(kind) ?? 'SecretStore';
    needs.push({
      evidence: 'secret-store',
      wants: [storeTarget(type, namespaceOf(object, application), store)],
      strength: hasHealth(object) ? 'soft' : 'eventual',
      confidence: 'high',
      text: `${kindOf(object).kind} needs ${type} ${store}`,
      where: whereOf(object),
    });
  };
  walk(object.spec, (key, value) => {
    if (key === 'secretStoreRef') add(value);
    if (key === 'secretStoreRefs') listOf(value).forEach(add);
  });
  return needs;
}
