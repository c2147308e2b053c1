// What a container, a Job or an Application that waits is found to be.

export interface WaitTarget {
  readonly kind: 'service' | 'crd' | 'resource' | 'pods' | 'namespace' | 'url';
  readonly namespace?: string;
  readonly name?: string;
  readonly group?: string;
  /** The type as kubectl spells it: deployment, statefulset, certificates. */
  readonly resource?: string;
  readonly labels?: string;
  readonly host?: string;
}

export interface Wait {
  /** KIND/NAME of the object; of an init container KIND/NAME/CONTAINER. */
  readonly object: string;
  readonly namespace: string;
  readonly shape: 'hook' | 'job' | 'init-container' | 'application';
  /** waits: nothing else. acts: it changes something, and stays. unsure: it cannot be told from here. */
  readonly verdict: 'waits' | 'acts' | 'unsure';
  readonly targets: readonly WaitTarget[];
  readonly because: string;
}
