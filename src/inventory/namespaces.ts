// What becomes of the namespaces that Argo CD made for Applications: no Application has them, so none takes them along.
import { quote } from '../model/names.ts';
import { renderResource } from '../ports/application-view.ts';
import { emptiedNamespaces, type Fated, isLocal } from './fate.ts';
import { isClaim } from './findings.ts';
import type { MadeNamespace, Policy } from './inventory.ts';

/** One that exists. */
export interface FoundNamespace {
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
  // All of them are in Argo CD's own cluster, and so is whatever is in them.
  const local = found.filter(isLocal);
  const going = new Set([...emptiedNamespaces(local).values()].map(({ name }) => name));
  const kept = local.flatMap(({ keeps }) => keeps);
  const claims = local.flatMap(({ deletes }) => deletes).filter(isClaim);
  const saved = policy.volumes === 'snapshot' ? claims : [];
  return namespaces
    .filter(({ name }) => !going.has(name))
    .map(({ name, uid, otherUser }): MadeNamespace => {
      const inside = kept.find(({ namespace }) => namespace === name);
      const why = reasonToStay(name, policy.keepNamespaces, argocdNamespace);
      const unread = uid === undefined ? 'it may not be read' : undefined;
      const stays = inside && `${renderResource(inside)} stays in it`;
      const claim = saved.find(({ namespace }) => namespace === name);
      const snapshot = claim && `the snapshot of ${renderResource(claim)} stays in it`;
      const used = otherUser && `Application ${quote(otherUser)} uses it, too`;
      return { name, uid: uid ?? '', why: why ?? unread ?? stays ?? snapshot ?? used ?? null };
    });
}

function reasonToStay(name: string, keep: boolean, argocdNamespace: string): string | undefined {
  if (keep) return 'namespaces are to stay';
  const isOthers = name === argocdNamespace || BUILT_IN.test(name);
  return isOthers ? "it is not the platform's own" : undefined;
}
