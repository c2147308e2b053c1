// Applications as kubectl shows them: it asks the server for a table, with the columns that Argo CD's definition names.

interface Application {
  readonly kind?: string;
  readonly metadata?: { readonly name?: string };
  readonly status?: {
    readonly sync?: { readonly status?: string };
    readonly health?: { readonly status?: string };
  };
}

export function wantsTable(accept: string | undefined): boolean {
  return accept?.includes('as=Table') ?? false;
}

const COLUMNS = ['Name', 'Sync Status', 'Health Status'].map((name) => ({
  ...{ name, type: 'string', format: name === 'Name' ? 'name' : '', description: '', priority: 0 },
}));

/** An Application, a list of them or an event of a watch; all else stays as it is. */
export function asTable(text: string): string {
  const value = JSON.parse(text);
  if (value.kind === 'ApplicationList') {
    return JSON.stringify(tableOf(value.items, value.metadata));
  }
  if (value.kind === 'Application') return JSON.stringify(tableOf([value]));
  if (value.object?.kind !== 'Application') return text;
  return JSON.stringify({ ...value, object: tableOf([value.object]) });
}

function tableOf(items: readonly Application[], metadata: unknown = {}) {
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: COLUMNS,
    rows: items.map((object) => ({
      cells: [
        object.metadata?.name ?? '',
        object.status?.sync?.status ?? '',
        object.status?.health?.status ?? '',
      ],
      object: {
        kind: 'PartialObjectMetadata',
        apiVersion: 'meta.k8s.io/v1',
        metadata: object.metadata,
      },
    })),
  };
}
