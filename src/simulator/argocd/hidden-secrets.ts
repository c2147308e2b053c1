// Secrets as argocd-server shows them: each value is masked, and equal values of one key have equal masks.
import type { KubeObject } from '../cluster/object-store.ts';

type Values = Readonly<Record<string, string>>;

const MASK = '+'.repeat(8);

/** Several states of one object; other kinds stay as they are. */
export function hideSecrets(
  states: readonly (KubeObject | undefined)[],
): readonly (KubeObject | undefined)[] {
  if (states.every((one) => one?.apiVersion !== 'v1' || one.kind !== 'Secret')) return states;
  const seen = new Map<string, string[]>();
  return states.map((state) => state && masked(state, seen));
}

function masked({ stringData, data, ...rest }: KubeObject, seen: Map<string, string[]>) {
  const texts = Object.entries((stringData ?? {}) as Values);
  const encoded = texts.map(([key, value]) => [key, Buffer.from(value).toString('base64')]);
  const values: Values = { ...(data as Values | undefined), ...Object.fromEntries(encoded) };
  const shown = Object.entries(values).map(([key, value]) => {
    const known = seen.get(key) ?? [];
    if (!known.includes(value)) known.push(value);
    seen.set(key, known);
    return [key, MASK + '+'.repeat(known.indexOf(value))];
  });
  return { ...rest, ...(shown.length > 0 ? { data: Object.fromEntries(shown) } : {}) };
}
