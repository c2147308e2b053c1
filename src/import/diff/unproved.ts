// Dependencies of the file that no evidence shows. Order by policy is legitimate, so this is information only.
import { type Reference, renderReference } from '../../model/names.ts';
import type { Platform } from '../../model/platform.ts';
import type { ProposedEdge } from '../proposal.ts';
import type { DiffFinding } from './diff-finding.ts';
import type { FileGraph } from './file-graph.ts';

export function unprovedFindings(
  edges: readonly ProposedEdge[],
  platform: Platform,
  { members, gone }: FileGraph,
): DiffFinding[] {
  const proofs = new Map<string, Set<string>>();
  for (const { dependent, dependency, decision } of edges) {
    if (decision === 'rejected') continue;
    proofs.set(dependent, (proofs.get(dependent) ?? new Set()).add(dependency));
  }
  const isProved = (owner: string, target: string) => {
    const targets = new Set(members.get(target));
    return (members.get(owner) ?? []).some((name) =>
      [...(proofs.get(name) ?? [])].some((other) => targets.has(other)),
    );
  };
  const absent = new Set(gone.map(({ owner }) => owner));
  const isThere = (id: string) => members.has(id) && !absent.has(id);
  return dependenciesIn(platform).flatMap(({ owner, target }): DiffFinding[] => {
    const reference = renderReference(target);
    // A dependency on something that is gone is reported as gone.
    if (!isThere(owner) || !isThere(reference) || isProved(owner, reference)) return [];
    const [application, dependency] = [shown(owner), shown(reference)];
    return [
      {
        level: 'information',
        kind: 'unproved',
        application,
        dependency,
        message: `${application} waits for ${dependency}, and no evidence shows why`,
        evidence: [],
        place: { owner, dependency: reference },
      },
    ];
  });
}

const shown = (id: string): string => id.replace(/^app:/, '');

function dependenciesIn({ stacks }: Platform): { owner: string; target: Reference }[] {
  return stacks.flatMap((stack) => [
    ...stack.dependsOn.map((target) => ({ owner: `stack:${stack.name}`, target })),
    ...stack.applications.flatMap(({ name, dependsOn }) =>
      dependsOn.map((target) => ({ owner: `app:${name}`, target })),
    ),
  ]);
}
