// What happens to the namespaces that Argo CD created for Applications: no Application owns them, so none deletes them.
import { quote } from '../model/names.ts';
import { renderResource } from '../ports/application-view.ts';
import { emptiedNamespaces, type Fated, placeIn } from './fate.ts';
import { isClaim } from './findings.ts';
import { inCluster, type MadeNamespace, type Policy } from './inventory.ts';

/** An existing namespace. */
export interface FoundNamespace {
  /** '' is the cluster that runs Argo CD. */
  readonly cluster: string;
  readonly name: string;
  /** Undefined: no permission to read it. */
  readonly uid: string | undefined;
  /** An Application that stays and creates it, too. */
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
      const unread = uid === undefined ? 'no permission to read it' : undefined;
      const stays = inside && `${renderResource(inside)} stays in it`;
      const claim = saved.find(({ namespace }) => namespace === name);
      const snapshot = claim && `the snapshot of ${renderResource(claim)} stays in it`;
      const used = otherUser && `Application ${quote(otherUser)} uses it, too`;
      const reason = why ?? unread ?? stays ?? snapshot ?? used ?? null;
      return { ...inCluster(cluster), name, uid: uid ?? '', why: reason };
    });
}

function reasonToStay(name: string, keep: boolean, argocdNamespace: string): string | undefined {
  if (keep) return 'namespaces are kept (--keep-namespaces)';
  const isOthers = name === argocdNamespace || BUILT_IN.test(name);
  return isOthers ? 'it does not belong to the platform' : undefined;
}
