// Where an Application's objects are: in the cluster that Argo CD runs in, or in another one.
import { withoutSlashes } from '../model/names.ts';

const OWN_SERVER = 'https://kubernetes.default.svc';
/** As Argo CD calls the cluster that it runs in. */
export const OWN_NAME = 'in-cluster';

interface Destination {
  readonly server?: unknown;
  readonly name?: unknown;
}

/**
 * The cluster as the destination calls it; undefined where it is Argo CD's own. Argo CD may know its own cluster by another
 * name or address, but only its cluster Secrets tell that: what is not certain to be its own counts as another one.
 */
export function remoteCluster(destination: Destination | undefined): string | undefined {
  const server = withoutSlashes(textOf(destination?.server));
  const name = textOf(destination?.name);
  const isOwn = server === '' ? name === OWN_NAME : server === OWN_SERVER && name === '';
  return isOwn ? undefined : server || name || 'an unknown cluster';
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
