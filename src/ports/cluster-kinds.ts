// What a cluster knows of kinds, as far as their health goes.

/** What the status of a kind is made of, as its CustomResourceDefinition has it. */
export type StatusShape = 'conditions' | 'phase' | 'other' | 'none';

export interface CustomKind {
  readonly group: string;
  readonly kind: string;
  readonly status: StatusShape;
}

export interface ClusterKinds {
  /** The entries of argocd-cm. */
  readonly settings: () => Promise<ReadonlyMap<string, string>>;
  /** Undefined where CustomResourceDefinitions may not be read. They are large: only where they are needed. */
  readonly custom: () => Promise<readonly CustomKind[] | undefined>;
}

/** Undefined where it is no CustomResourceDefinition. */
export function customKindOf(definition: unknown): CustomKind | undefined {
  const { group, names, versions } = fieldsOf(fieldsOf(definition).spec);
  const { kind } = fieldsOf(names);
  if (typeof group !== 'string' || typeof kind !== 'string') return undefined;
  const shapes = listOf(versions).map(shapeOf);
  const order: readonly StatusShape[] = ['conditions', 'phase', 'other'];
  return { group, kind, status: order.find((shape) => shapes.includes(shape)) ?? 'none' };
}

function shapeOf(version: unknown): StatusShape {
  const { schema, subresources } = fieldsOf(version);
  const { properties } = fieldsOf(fieldsOf(schema).openAPIV3Schema);
  const { status } = fieldsOf(properties);
  const told = fieldsOf(fieldsOf(status).properties);
  if (told.conditions !== undefined) return 'conditions';
  if (told.phase !== undefined) return 'phase';
  // Where the schema lets everything through, the subresource is the only hint.
  return status !== undefined || fieldsOf(subresources).status !== undefined ? 'other' : 'none';
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
