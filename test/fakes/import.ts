// Material and proposals of `tiphys import`, for tests: everything that a test does not name is empty.
import type {
  ApplicationMaterial,
  ApplicationSource,
  ChartUse,
  DefinedKind,
  KubernetesObject,
  ListedResource,
  Material,
  ReadProblem,
} from '../../src/import/material.ts';
import type {
  BrokenCycle,
  Confidence,
  Evidence,
  ImportNote,
  Proposal,
  ProposedApplication,
  ProposedEdge,
  ProposedStack,
  Strength,
  UnresolvedNeed,
} from '../../src/import/proposal.ts';

const NO_SOURCES: readonly ApplicationSource[] = [];
const NO_CHARTS: readonly ChartUse[] = [];
const NO_RESOURCES: readonly ListedResource[] = [];

export function applicationMaterial(
  name: string,
  objects: readonly KubernetesObject[] = [],
  more: Partial<ApplicationMaterial> = {},
): ApplicationMaterial {
  return {
    name,
    project: 'default',
    destination: { cluster: 'in-cluster', namespace: name },
    isRemote: false,
    createsNamespace: true,
    automated: true,
    labels: {},
    sources: NO_SOURCES,
    charts: NO_CHARTS,
    values: [],
    resources: NO_RESOURCES,
    objects,
    pastDurations: [],
    content: 'manifests',
    ...more,
  };
}

const NO_KINDS: readonly DefinedKind[] = [];
const NO_PROBLEMS: readonly ReadProblem[] = [];

export function platformMaterial(
  applications: readonly ApplicationMaterial[],
  more: Partial<Material> = {},
): Material {
  return {
    applications,
    definedKinds: NO_KINDS,
    customHealth: [],
    argocdNamespace: 'argocd',
    problems: NO_PROBLEMS,
    ...more,
  };
}

function evidence(
  kind: string,
  strength: Strength = 'hard',
  confidence: Confidence = 'high',
): Evidence {
  return { kind, strength, confidence, text: `needs ${kind}`, where: 'Deployment/it' };
}

export function proposedEdge(
  dependent: string,
  dependency: string,
  more: Partial<ProposedEdge> = {},
): ProposedEdge {
  return {
    dependent,
    dependency,
    strength: 'hard',
    confidence: 'high',
    status: 'written',
    evidence: [evidence('crd')],
    ...more,
  };
}

/** One stack with the applications of the edges. */
export function proposalOf(edges: readonly ProposedEdge[], more: Partial<Proposal> = {}): Proposal {
  const names = [...new Set(edges.flatMap((edge) => [edge.dependent, edge.dependency]))].sort();
  const applications: readonly ProposedApplication[] = names.map((name) => ({
    name,
    fromHistory: false,
  }));
  const stacks: readonly ProposedStack[] = [{ name: 'all', applications }];
  const unresolved: readonly UnresolvedNeed[] = [];
  const cycles: readonly BrokenCycle[] = [];
  const notes: readonly ImportNote[] = [];
  return {
    platform: 'platform',
    argocdNamespace: 'argocd',
    stacks,
    edges,
    unresolved,
    cycles,
    notes,
    waves: {},
    ...more,
  };
}
