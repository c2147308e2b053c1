// What becomes of the namespaces that Argo CD made for Applications: no Application has them, so none takes them along.
import { quote } from '../model/names.ts';
import { renderResource } from '../ports/application-view.ts';
import { emptiedNamespaces, type Fated, placeIn } from './fate.ts';
import { isClaim } from './findings.ts';
import { inCluster, type MadeNamespace, type Policy } from './inventory.ts';

/** One that exists. */
export interface FoundNamespace {
  /** '' is Argo CD's own. */
  readonly cluster: string;
  readonly name: string;
  /** Undefined: it may not be read. */
  readonly uid: string | undefined;
  /** An Application that is not removed and makes it, too. */
  readonly otherUser: string | undefined;
}

/** Kubernetes' own. */
const BUILT_IN = /^(default|kube-.*)$/;

export function namespacesOf(
  namespaces: readonly FoundNamespace[],
  found: readonly Fated[],
  policy: Pick<Policy, 'keepNamespaces' | 'volumes'>,
  argocdNamespace: string,
): MadeNamespace[] {
  const going = emptiedNamespaces(found);
  return namespaces
    .filter(({ cluster, name }) => !going.has(placeIn(cluster, name)))
    .map(({ cluster, name, uid, otherUser }): MadeNamespace => {
      const there = found.filter(({ place }) => place.cluster === cluster);
      const kept = there.flatMap(({ keeps }) => keeps);
      const claims = there.flatMap(({ deletes }) => deletes).filter(isClaim);
      const saved = policy.volumes === 'snapshot' ? claims : [];
      const inside = kept.find(({ namespace }) => namespace === name);
      const why = reasonToStay(name, policy.keepNamespaces, argocdNamespace);
      const unread = uid === undefined ? 'it may not be read' : undefined;
      const stays = inside && `${renderResource(inside)} stays in it`;
      const claim = saved.find(({ namespace }) => namespace === name);
      const snapshot = claim && `the snapshot of ${renderResource(claim)} stays in it`;
      const used = otherUser && `Application ${quote(otherUser)} uses it, too`;
      const reason = why ?? unread ?? stays ?? snapshot ?? used ?? null;
      return { ...inCluster(cluster), name, uid: uid ?? '', why: reason };
    });
}

function reasonToStay(name: string, keep: boolean, argocdNamespace: string): string | undefined {
  if (keep) return 'namespaces are to stay';
  const isOthers = name === argocdNamespace || BUILT_IN.test(name);
  return isOthers ? "it is not the platform's own" : undefined;
}
