// The two sides of every observation: what an application brings into the cluster, and what it expects to find there.
import type { ApplicationMaterial, KubernetesObject } from '../material.ts';
import type { Confidence, Strength } from '../proposal.ts';

/**
 * What can be provided and needed. Keys: GROUP/KIND of kinds, GROUP of groups, PLURAL.GROUP of definitions that are known by
 * name alone, NAMESPACE/NAME of what lives in a namespace (`*` for what does not), else NAME. A place is where Services that no
 * manifest shows probably are: NAMESPACE/RELEASE, or NAMESPACE. Families are applications whose names belong together: keys are the
 * name without -crds, -operator and the like.
 */
type Subject =
  | 'kind'
  | 'plural'
  | 'group'
  | 'group-suffix'
  | 'operator'
  | 'webhook'
  | 'class'
  | 'store'
  | 'issuer'
  | 'secret'
  | 'config-map'
  | 'resource'
  | 'named'
  | 'namespace'
  | 'service'
  | 'place'
  | 'application'
  | 'family'
  | 'family-crds'
  | 'family-operator';

export interface Target {
  readonly subject: Subject;
  readonly key: string;
}

/**
 * How sure it is that it is provided: an object shows it; the cluster or a package says that it is made at run time;
 * the chart is known for it; it may be.
 */
export type Rank = 'shown' | 'runtime' | 'assumed' | 'maybe';

export interface Provided extends Target {
  readonly rank: Rank;
  /** The application has CustomResourceDefinitions and hardly anything else. */
  readonly crdsOnly?: boolean;
}

export interface Needed {
  /** The kind of the evidence, as in Evidence. */
  readonly evidence: string;
  /** What would do, the best first: the first one that is provided counts. */
  readonly wants: readonly Target[];
  readonly strength: Strength;
  readonly confidence: Confidence;
  readonly text: string;
  readonly where: string;
  /** Not worth a question if it is not provided: it was only a guess. */
  readonly guess?: boolean;
}

export interface Facts {
  readonly provides: readonly Provided[];
  readonly needs: readonly Needed[];
}

/** What the families of facts look at. */
export interface Subjects {
  readonly application: ApplicationMaterial;
  /** Its manifests, and for what is only listed an object with nothing but its name. */
  readonly objects: readonly KubernetesObject[];
  /** Whether Argo CD looks at the health of a kind. */
  readonly hasHealth: (object: KubernetesObject) => boolean;
  readonly argocdNamespace: string;
}
