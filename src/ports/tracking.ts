// Who made an object: the Application that has it in its Git, the ApplicationSet that generated it.

export const TRACKING_ID = 'argocd.argoproj.io/tracking-id';
const INSTANCE = 'app.kubernetes.io/instance';

interface Owned {
  readonly name: string;
  readonly namespace: string;
  readonly annotations: ReadonlyMap<string, string>;
  readonly labels: ReadonlyMap<string, string>;
}

/**
 * The name of the tracking Application. The id is `APPLICATION:GROUP/KIND:NAMESPACE/NAME`, and only true on the object
 * that it names: copies carry it too. The label is what older settings of Argo CD track by.
 */
export function trackedBy(kind: string, { name, namespace, annotations, labels }: Owned) {
  const id = annotations.get(TRACKING_ID);
  if (id === undefined) return labels.get(INSTANCE);
  const at = id.indexOf(':');
  if (id.slice(at + 1) !== `argoproj.io/${kind}:${namespace}/${name}`) return undefined;
  // NAMESPACE_NAME for an Application outside Argo CD's namespace.
  return id.slice(0, at).split('_').at(-1);
}

/**
 * The Application that has this object, as tracking ids call it: NAME, or NAMESPACE_NAME. Copies carry another's id. The
 * label does not count: Helm and many others set it, on objects that no Application has.
 */
export function instanceOf(
  { group, kind }: { readonly group: string; readonly kind: string },
  { name, namespace, annotations }: Omit<Owned, 'labels'>,
): string | undefined {
  const id = annotations.get(TRACKING_ID);
  if (id === undefined) return undefined;
  const at = id.indexOf(':');
  const [named, place = ''] = id.slice(at + 1).split(':');
  // What is in no namespace is tracked with the one of its Application.
  const isIt = named === `${group}/${kind}` && place.split('/').at(-1) === name;
  return isIt && (namespace === '' || place === `${namespace}/${name}`)
    ? id.slice(0, at)
    : undefined;
}
