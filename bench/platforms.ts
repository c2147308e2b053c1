// Random platforms, the same ones in every run: each application has up to three dependencies among the fifty before
// it, and about twenty applications make a stack.
const STACK = 20;
const WINDOW = 50;
const DEPENDENCIES = 3;

/** Edges as pairs of a dependent and what it depends on, for planners that know nothing of stacks. */
export interface GeneratedPlatform {
  readonly yaml: string;
  readonly names: readonly string[];
  readonly edges: readonly (readonly [string, string])[];
}

export function generatePlatform(applications: number): GeneratedPlatform {
  const random = generator(applications);
  const below = (limit: number) => Math.floor(random() * limit);
  const names = Array.from({ length: applications }, (_, at) => `application-${at}`);
  const edges: [string, string][] = [];
  const lines: string[] = [];
  for (const [at, name] of names.entries()) {
    if (at % STACK === 0) lines.push(`    - name: stack-${at / STACK}`, '      applications:');
    const wanted = Array.from({ length: at === 0 ? 0 : below(DEPENDENCIES + 1) }, () =>
      below(Math.min(at, WINDOW)),
    );
    const dependencies = [...new Set(wanted)].map((back) => names[at - 1 - back] ?? '');
    for (const dependency of dependencies) edges.push([name, dependency]);
    lines.push(`        - name: ${name}`);
    if (dependencies.length > 0) lines.push(`          dependsOn: [${dependencies.join(', ')}]`);
  }
  return { yaml: `${HEAD}${lines.join('\n')}\n`, names, edges };
}

const HEAD = `apiVersion: tiphys.dev/v1alpha1
kind: Platform
metadata: { name: bench }
spec:
  stacks:
`;

/** mulberry32: small, fast, and good enough to draw dependencies. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
