// The kinds that a platform's Applications have in a cluster.
import type { ApplicationAddress, Platform } from '../model/platform.ts';
import type { Cluster } from '../ports/target.ts';
import { coverageOf, type KindUse, kindUses } from './coverage.ts';

/** From what Argo CD saw last: one list for each namespace, without a refresh. */
export async function kindsInUse(
  platform: Platform,
  target: Pick<Cluster, 'applications'>,
): Promise<KindUse[]> {
  const addresses = addressesOf(platform);
  const namespaces = [...new Set(addresses.map(({ namespace }) => namespace))];
  const wanted = new Set(addresses.map(({ namespace, name }) => `${namespace}/${name}`));
  const found = (await target.applications.list(namespaces)).filter(({ namespace, name }) =>
    wanted.has(`${namespace}/${name}`),
  );
  return kindUses(
    found.flatMap(({ name, resources }) => resources.map((one) => [one, name] as const)),
  );
}

function addressesOf({ address, stacks }: Platform): ApplicationAddress[] {
  const parents = [address, ...stacks.map((stack) => stack.address)];
  const members = stacks.flatMap(({ applications }) => applications.map((one) => one.address));
  return [...parents, ...members].filter((one) => one !== undefined);
}

/**
 * The kinds without a health check, as a sentence; undefined if there are none. Applications are left out: a run judges the gate of each
 * child itself.
 */
export async function uncoveredWarning(
  platform: Platform,
  target: Pick<Cluster, 'applications' | 'kinds'>,
): Promise<string | undefined> {
  const [uses, settings] = await Promise.all([
    kindsInUse(platform, target),
    target.kinds.settings(),
  ]);
  const { name, acceptedKinds: accepted } = platform;
  const input = { platform: name, uses, settings, custom: undefined, checks: [], accepted };
  if (coverageOf(input).uncovered === 0) return undefined;
  const { kinds } = coverageOf({ ...input, custom: await target.kinds.custom() });
  const names = kinds.flatMap(({ kind, state }) =>
    state === 'uncovered' && kind !== 'argoproj.io/Application' ? [kind] : [],
  );
  if (names.length === 0) return undefined;
  return `no health check covers ${names.join(', ')}: gates may open too early; see \`tiphys health coverage\``;
}
