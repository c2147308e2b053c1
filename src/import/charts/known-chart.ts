// What is known of a chart. Kinds are GROUP/KIND; a GROUP alone stands for all of its kinds.

export interface KnownChart {
  /** A part of the address of its repository, where other charts have the same name. */
  readonly repository?: string;
  /** Kinds whose definitions it installs. */
  readonly defines?: readonly string[];
  /** These come only where a value says so. */
  readonly definesByValue?: boolean;
  /** Groups that it reconciles, where that is not what it defines. */
  readonly operates?: readonly string[];
  readonly ingressClass?: string;
  readonly storageClass?: string;
  /** Kinds of others that its manifests have unless told otherwise: a sync fails without. */
  readonly uses?: readonly string[];
  /** Values that leave them out: the end of the value's way, and what it then is. */
  readonly unless?: Readonly<Record<string, boolean>>;
  /** Kinds of others that its controllers watch: they do not get ready without. */
  readonly watches?: readonly string[];
  /** Kinds that one of its values switches on: the end of the value's way. */
  readonly switches?: Readonly<Record<string, string>>;
}
