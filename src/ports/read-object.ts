// An object of Kubernetes as it is kept once it was read: without secrets, and without what only costs memory.

export type ReadObject = Readonly<Record<string, unknown>> & {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly metadata: Readonly<Record<string, unknown>>;
};

type Fields = Readonly<Record<string, unknown>>;

/** Holds the whole object again, the data of a Secret included. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Undefined where it is no object of Kubernetes. */
export function readObject(given: unknown): ReadObject | undefined {
  if (!isFields(given) || typeof given.kind !== 'string') return undefined;
  const { status: _, apiVersion, metadata, ...rest } = given;
  const { managedFields: _fields, ...kept } = isFields(metadata) ? metadata : {};
  const object = {
    ...(typeof apiVersion === 'string' ? { apiVersion } : {}),
    ...rest,
    kind: given.kind,
    metadata: kept,
  };
  const clean = withoutSecrets(object) as ReadObject;
  return clean.kind === 'CustomResourceDefinition' ? withoutSchemas(clean) : clean;
}

/** At any depth: other kinds carry whole Secrets, and templates of them. */
function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isFields(value)) return value;
  const isSecret = value.kind === 'Secret';
  const kept = Object.entries(value).filter(
    ([key]) => key !== LAST_APPLIED && !(isSecret && (key === 'data' || key === 'stringData')),
  );
  return Object.fromEntries(kept.map(([key, member]) => [key, withoutSecrets(member)]));
}

/** Most of a definition, which has no reader here. */
function withoutSchemas(definition: ReadObject): ReadObject {
  const { spec } = definition;
  if (!isFields(spec) || !Array.isArray(spec.versions)) return definition;
  const versions = spec.versions.map((version: unknown) => {
    if (!isFields(version)) return version;
    const { schema: _, ...kept } = version;
    return kept;
  });
  return { ...definition, spec: { ...spec, versions } };
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
