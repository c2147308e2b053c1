// Sync waves on Applications, beside a graph that orders them already.
import type { Material } from '../import/material.ts';
import type { LintFinding } from './finding.ts';
import { wavePatch } from './removal-patch.ts';

/** Whether the graph starts an application only after another, directly or by others. */
export type ComesAfter = (dependent: string, dependency: string) => boolean;

export function lintWaves(
  { applications, wavesWaitForHealth }: Material,
  known: ReadonlySet<string>,
  comesAfter: ComesAfter,
): LintFinding[] {
  const waved = applications.filter(
    (one): one is typeof one & { wave: number } => one.wave !== undefined && known.has(one.name),
  );
  const parents = [...new Set(waved.map(({ parent }) => parent))];
  return parents.flatMap((parent) => {
    const family = waved.filter((one) => one.parent === parent);
    const contradictions = family.flatMap((late) =>
      family
        .filter((early) => early.wave < late.wave && comesAfter(early.name, late.name))
        .map((early) => contradiction(early, late, wavesWaitForHealth === true)),
    );
    const waves = new Set(family.map(({ wave }) => wave));
    return waves.size > 1 ? [...contradictions, ...needless(family)] : contradictions;
  });
}

interface Waved {
  readonly name: string;
  readonly wave: number;
}

function contradiction(early: Waved, late: Waved, waits: boolean): LintFinding {
  const effect = waits
    ? 'The parent waits for the first before it creates the second, which the first depends on: it never finishes.'
    : 'The parent creates them in the wrong order.';
  return {
    ...{ rule: 'wave-contradicts', level: 'error', application: early.name, object: null },
    message: `${early.name} has sync wave ${early.wave} and ${late.name} has ${late.wave}, but ${early.name} depends on ${late.name}. ${effect}`,
    fix: `Remove the annotation argocd.argoproj.io/sync-wave from both, or correct dependsOn of ${early.name}.`,
    edge: null,
    patch: null,
  };
}

function needless(family: readonly Waved[]): LintFinding[] {
  return family.map(({ name, wave }) => ({
    ...{ rule: 'wave-needless', level: 'note', application: name, object: null },
    message: `${name} has sync wave ${wave}, and the graph orders it.`,
    fix: 'Remove the annotation argocd.argoproj.io/sync-wave.',
    edge: null,
    patch: wavePatch(name),
  }));
}
