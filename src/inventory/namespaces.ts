// What becomes of the namespaces that Argo CD made for Applications: no Application has them, so none takes them along.
import { quote } from '../model/names.ts';
import { renderResource } from '../ports/application-view.ts';
import { emptiedNamespaces, type Fates, type Found, isLocal } from './fate.ts';
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

interface Findings {
  readonly argocdNamespace: string;
  readonly found: readonly Found[];
  readonly namespaces: readonly FoundNamespace[];
  readonly policy: Pick<Policy, 'keepNamespaces' | 'volumes'>;
}

/** Kubernetes' own. */
const BUILT_IN = /^(default|kube-.*)$/;

export function namespacesOf(
  findings: Findings,
  fates: ReadonlyMap<string, Fates>,
): MadeNamespace[] {
  const { found, namespaces } = findings;
  // All of them are in Argo CD's own cluster, and so is whatever is in them.
  const local = found.filter(isLocal);
  const going = new Set([...emptiedNamespaces(local).values()].map(({ name }) => name));
  const all = local.flatMap(({ id }) => fates.get(id) ?? []);
  const kept = all.flatMap(({ keeps }) => keeps);
  const claims = all.flatMap(({ deletes }) => deletes).filter(isClaim);
  const saved = findings.policy.volumes === 'snapshot' ? claims : [];
  return namespaces
    .filter(({ name }) => !going.has(name))
    .map((one): MadeNamespace => {
      const { name, uid, otherUser } = one;
      const inside = kept.find(({ namespace }) => namespace === name);
      const why = reasonToStay(one, findings);
      const stays = inside && `${renderResource(inside)} stays in it`;
      const claim = saved.find(({ namespace }) => namespace === name);
      const snapshot = claim && `the snapshot of ${renderResource(claim)} stays in it`;
      const used = otherUser && `Application ${quote(otherUser)} uses it, too`;
      return { name, uid: uid ?? '', why: why ?? stays ?? snapshot ?? used ?? null };
    });
}

function reasonToStay(
  { name, uid }: FoundNamespace,
  { argocdNamespace, policy }: Findings,
): string | undefined {
  if (policy.keepNamespaces) return 'namespaces are to stay';
  if (name === argocdNamespace || BUILT_IN.test(name)) return "it is not the platform's own";
  return uid === undefined ? 'it may not be read' : undefined;
}
