// From what was read to what is proposed: facts, matches, verdicts, cycles, stacks. The same input in any order gives the same
// proposal.

import { kindName } from '../health/health-check.ts';
import { breakCycles } from './cycles.ts';
import { applyDecisions, type Decisions, NO_DECISIONS } from './decisions.ts';
import { factsOf } from './facts/all.ts';
import type { Facts, Provided } from './facts/fact.ts';
import { kindOf, nameOf, objectsOf } from './facts/object.ts';
import { groupBy, mostCommon } from './group.ts';
import { judgeEdges } from './judge.ts';
import { matchNeeds } from './match.ts';
import type { ApplicationMaterial, Material } from './material.ts';
import { edgeNotes, materialNotes, sortNotes, unknownContentNotes } from './notes.ts';
import type { Proposal, UnresolvedNeed } from './proposal.ts';
import { groupIntoStacks } from './stacks.ts';
import { familyOf } from './tree.ts';
import { waveCheck } from './waves.ts';

export interface ProposeOptions {
  readonly platform: string;
  readonly decisions?: Decisions;
}

export function propose(
  material: Material,
  { platform, decisions = NO_DECISIONS }: ProposeOptions,
): Proposal {
  const applications = material.applications
    .filter(({ isRemote }) => !isRemote)
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  const names = applications.map(({ name }) => name);
  const family = familyOf(applications);
  const facts = new Map(
    applications.map((one): [string, Facts] => [one.name, factsOf(one, material)]),
  );
  const matching = matchNeeds(facts, family, runtimeKinds(applications, material));
  const judged = judgeEdges(matching.matches, waveCheck(applications, family));
  const { edges, cycles } = breakCycles(applyDecisions(judged, decisions), names, family);
  const common = mostCommon(applications.map((application) => application.project));
  // A file can give the root no other project than the platform's.
  const { root } = groupIntoStacks(applications, family, platform, common);
  const project = applications.find(({ name }) => name === root)?.project ?? common;
  return {
    platform,
    argocdNamespace: material.argocdNamespace,
    ...(project === undefined ? {} : { project }),
    ...groupIntoStacks(applications, family, platform, project),
    edges,
    unresolved: mergeUnresolved(matching.unresolved),
    cycles,
    notes: sortNotes([
      ...materialNotes(material),
      ...matching.notes,
      ...edgeNotes(edges, applications),
      ...unknownContentNotes(applications, edges, family),
    ]),
    waves: Object.fromEntries(
      applications.flatMap(({ name, wave }) => (wave === undefined ? [] : [[name, wave]])),
    ),
  };
}

/** Kinds of the cluster that no application lists: they belong to the owner of the object that made them. */
function runtimeKinds(
  applications: readonly ApplicationMaterial[],
  { definedKinds }: Material,
): Map<string, Provided[]> {
  const makers = groupBy(definedKinds, ({ madeBy }) => madeBy ?? '');
  makers.delete('');
  const found = new Map<string, Provided[]>();
  if (makers.size === 0) return found;
  for (const application of applications) {
    for (const object of objectsOf(application)) {
      const made = makers.get(`${kindOf(object).group}/${kindOf(object).kind}/${nameOf(object)}`);
      const provided = (made ?? []).map(
        (kind): Provided => ({
          subject: 'kind',
          key: kindName(kind),
          rank: 'runtime',
        }),
      );
      if (provided.length > 0)
        found.set(application.name, [...(found.get(application.name) ?? []), ...provided]);
    }
  }
  return found;
}

function mergeUnresolved(needs: readonly UnresolvedNeed[]): UnresolvedNeed[] {
  const merged = groupBy(
    needs,
    ({ application, kind, what }) => `${application}\0${kind}\0${what}`,
  );
  return [...merged]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, group]) => {
      const [first] = group;
      const where = [...new Set(group.flatMap((need) => need.where))].sort();
      return first ? [{ ...first, where }] : [];
    });
}
