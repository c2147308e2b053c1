// The kinds that a platform's Applications have on a cluster.
import type { ApplicationAddress, Platform } from '../model/platform.ts';
import type { Target } from '../ports/target.ts';
import { type Kind, kindName } from './check.ts';
import { coverageOf, type KindUse } from './coverage.ts';

/** From what Argo CD saw last: one list for each namespace, nothing is asked for anew. */
export async function kindsInUse(platform: Platform, target: Target): Promise<KindUse[]> {
  const addresses = addressesOf(platform);
  const namespaces = [...new Set(addresses.map(({ namespace }) => namespace))];
  const wanted = new Set(addresses.map(({ namespace, name }) => `${namespace}/${name}`));
  const uses = new Map<string, Kind & { readonly applications: Set<string> }>();
  for (const { namespace, name, resources } of await target.list(namespaces)) {
    if (!wanted.has(`${namespace}/${name}`)) continue;
    for (const { group, kind } of resources) {
      const key = kindName({ group, kind });
      const use = uses.get(key) ?? { group, kind, applications: new Set<string>() };
      use.applications.add(name);
      uses.set(key, use);
    }
  }
  return [...uses.values()].map((use) => ({ ...use, applications: [...use.applications].sort() }));
}

function addressesOf({ address, stacks }: Platform): ApplicationAddress[] {
  const parents = [address, ...stacks.map((stack) => stack.address)];
  const members = stacks.flatMap(({ applications }) => applications.map((one) => one.address));
  return [...parents, ...members].filter((one) => one !== undefined);
}

/**
 * What nothing looks at, as a sentence; undefined where there is none. Applications are left out: a run judges the gate of
 * each child itself.
 */
export async function uncoveredWarning(
  platform: Platform,
  target: Target,
): Promise<string | undefined> {
  const [uses, settings] = await Promise.all([
    kindsInUse(platform, target),
    target.kinds.settings(),
  ]);
  const accepted = platform.acceptedKinds;
  const input = {
    platform: platform.name,
    uses,
    settings,
    custom: undefined,
    checks: [],
    accepted,
  };
  if (coverageOf(input).uncovered === 0) return undefined;
  const { kinds } = coverageOf({ ...input, custom: await target.kinds.custom() });
  const names = kinds.flatMap(({ kind, state }) =>
    state === 'uncovered' && kind !== 'argoproj.io/Application' ? [kind] : [],
  );
  if (names.length === 0) return undefined;
  return `nothing looks at the health of ${names.join(', ')}: gates may open too early; see \`tiphys health coverage\``;
}
