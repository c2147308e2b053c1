// What import proposes: the edges with their evidence, and everything that a reader has to know before believing them.

export type Strength = 'hard' | 'soft' | 'eventual';
export type Confidence = 'high' | 'medium' | 'low';

/** The weakest first. */
export const STRENGTHS: readonly Strength[] = ['eventual', 'soft', 'hard'];
export const CONFIDENCES: readonly Confidence[] = ['low', 'medium', 'high'];

/** Why one application needs another: one observation. */
export interface Evidence {
  /** crd, crd-at-runtime, crd-by-values, init-container, wait-job, source, ingress-class, secret-store, storage-class, secret,
   *  named-resource, gateway, operator, issuer, issuer-annotation, namespace, names, dns, telemetry-dns, webhook, depends-on */
  readonly kind: string;
  readonly strength: Strength;
  readonly confidence: Confidence;
  /** What is needed, as "Certificate needs kind cert-manager.io/Certificate". One line. */
  readonly text: string;
  /** Where it was seen: KIND/NAME of the dependent's object, or the values key. */
  readonly where: string;
}

export interface ProposedEdge {
  readonly dependent: string;
  readonly dependency: string;
  readonly strength: Strength;
  readonly confidence: Confidence;
  /** written: into the file; suggested: as a comment; reported: in the report alone. */
  readonly status: 'written' | 'suggested' | 'reported';
  readonly evidence: readonly Evidence[];
  /** with, same or against the sync waves, where both have one. */
  readonly waves?: 'with' | 'same' | 'against';
  /** What import.yaml says about it, where it says something. */
  readonly decision?: 'accepted' | 'rejected';
}

export interface UnresolvedNeed {
  readonly application: string;
  readonly kind: string;
  readonly what: string;
  readonly where: readonly string[];
}

export interface BrokenCycle {
  readonly cycle: readonly string[];
  /** Absent where every edge is hard: the platform itself cannot come up in order. */
  readonly dropped?: { readonly dependent: string; readonly dependency: string };
}

export interface ProposedApplication {
  readonly name: string;
  /** Its AppProject, where it is not the platform's. */
  readonly project?: string;
  readonly class?: string;
  /** Seconds. */
  readonly expectedDuration?: number;
  readonly fromHistory: boolean;
}

export interface ProposedStack {
  readonly name: string;
  /** The stack's own Application (app-of-apps). */
  readonly application?: string;
  /** The AppProject of that Application, where it is not the platform's. Members say their own. */
  readonly project?: string;
  /** The stack whose Application creates this stack's. */
  readonly parent?: string;
  readonly applications: readonly ProposedApplication[];
}

export interface ImportNote {
  /** remote, self-managed-argocd, content-unknown, namespace-by-accident, applicationset, parent-has-resources, against-waves, several-providers, read-problem ... */
  readonly kind: string;
  readonly application?: string;
  readonly text: string;
}

export interface Proposal {
  readonly platform: string;
  readonly argocdNamespace: string;
  readonly project?: string;
  readonly root?: string;
  readonly stacks: readonly ProposedStack[];
  readonly edges: readonly ProposedEdge[];
  readonly unresolved: readonly UnresolvedNeed[];
  readonly cycles: readonly BrokenCycle[];
  readonly notes: readonly ImportNote[];
  /** Waves of applications, for --order waves. */
  readonly waves: Readonly<Record<string, number>>;
}
