// Which Application has what a wait waits for.

import { fieldsOf } from '../import/facts/object.ts';
import type { ApplicationMaterial, KubernetesObject } from '../import/material.ts';
import { textOf } from '../import/waits/containers.ts';
import type { WaitTarget } from '../import/waits/wait.ts';
import { lookUp } from '../model/lookup.ts';

const ARGO = 'argoproj.io';
/** As kubectl takes it. */
const APPLICATION = /^(?:apps?|applications?)$/;

interface Held {
  readonly application: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, unknown>>;
}

export class Providers {
  readonly #held: readonly Held[];
  readonly #byName = new Map<string, Held[]>();
  readonly #applications: readonly ApplicationMaterial[];

  constructor(applications: readonly ApplicationMaterial[]) {
    this.#applications = applications;
    this.#held = applications.flatMap(heldBy);
    for (const held of this.#held) {
      const same = this.#byName.get(held.name) ?? [];
      this.#byName.set(held.name, same);
      same.push(held);
    }
  }

  /** The one Application that has it; undefined where none is known to, or several are. */
  of(target: WaitTarget): string | undefined {
    return this.#itself(target) ?? this.#exactly(target) ?? this.#byNamespace(target);
  }

  /** Asked for is the Application, which the one that creates it has among its resources. */
  #itself({ kind, resource = '', group = ARGO, name }: WaitTarget): string | undefined {
    if (kind !== 'resource' || group !== ARGO || !APPLICATION.test(resource)) return undefined;
    return this.#applications.find((one) => one.name === name)?.name;
  }

  #exactly(target: WaitTarget): string | undefined {
    const matches = MATCHES[target.kind];
    const candidates =
      target.name === undefined ? this.#held : (this.#byName.get(target.name) ?? []);
    return single(
      candidates.filter((held) => matches(held, target)).map(({ application }) => application),
    );
  }

  /** Charts that were not rendered have no objects: an Application that alone deploys to the namespace has what is in it. */
  #byNamespace({ kind, namespace, name }: WaitTarget): string | undefined {
    const wanted = kind === 'namespace' ? name : namespace;
    if (wanted === undefined || kind === 'crd' || kind === 'url') return undefined;
    return single(
      this.#applications
        .filter(({ destination, isRemote }) => destination.namespace === wanted && !isRemote)
        .map(({ name: application }) => application),
    );
  }
}

function heldBy(application: ApplicationMaterial): Held[] {
  const { name, destination } = application;
  const listed = application.resources.map((one) => ({ ...one, application: name, labels: {} }));
  const read = application.objects.map((object) => heldObject(object, name, destination.namespace));
  return [...read, ...listed];
}

function heldObject(object: KubernetesObject, application: string, fallback: string): Held {
  const { name, namespace, labels } = fieldsOf(object.metadata);
  const template = fieldsOf(fieldsOf(object.spec).template);
  const ofPods = fieldsOf(fieldsOf(template.metadata).labels);
  return {
    ...{ application, kind: object.kind ?? '', name: textOf(name) },
    namespace: textOf(namespace) || fallback,
    labels: { ...fieldsOf(labels), ...ofPods },
  };
}

type Matches = (held: Held, target: WaitTarget) => boolean;

const inPlace: Matches = ({ namespace, labels }, target) =>
  (target.namespace === undefined || namespace === target.namespace) &&
  (target.labels === undefined || selects(target.labels, labels));

const MATCHES: Readonly<Record<WaitTarget['kind'], Matches>> = {
  service: (held, target) => held.kind === 'Service' && inPlace(held, target),
  pods: (held, target) => target.labels !== undefined && inPlace(held, target),
  crd: ({ kind }) => kind === 'CustomResourceDefinition',
  namespace: ({ kind }) => kind === 'Namespace',
  url: () => false,
  resource: (held, target) =>
    isOfType(held.kind, target.resource ?? '') &&
    (target.name !== undefined || target.labels !== undefined) &&
    (inPlace(held, target) || (isClusterScoped(held.kind) && target.labels === undefined)),
};

const isClusterScoped = (kind: string): boolean =>
  kind.startsWith('Cluster') || kind.endsWith('Class');

/** kubectl takes the singular, the plural and, for some, a short name. */
const SHORT: Readonly<Record<string, string>> = {
  ...{ deploy: 'deployment', sts: 'statefulset', ds: 'daemonset', cm: 'configmap', ing: 'ingress' },
  ...{
    css: 'clustersecretstore',
    es: 'externalsecret',
    pvc: 'persistentvolumeclaim',
    sa: 'serviceaccount',
  },
};

function isOfType(kind: string, resource: string): boolean {
  const wanted = lookUp(SHORT, resource) ?? resource;
  const singular = kind.toLowerCase();
  return [singular, `${singular}s`, `${singular}es`, singular.replace(/y$/, 'ies')].includes(
    wanted,
  );
}

/** a=b,c=d or a==b; anything else selects nothing here. */
function selects(selector: string, labels: Readonly<Record<string, unknown>>): boolean {
  return selector.split(',').every((term) => {
    const [key = '', value] = term.split(/={1,2}/);
    return value !== undefined && labels[key.trim()] === value.trim();
  });
}

function single(names: readonly string[]): string | undefined {
  const all = new Set(names);
  return all.size === 1 ? names[0] : undefined;
}
