// Applications as kubectl shows them: it asks the server for a table, with the columns that Argo CD's definition names.
import type { Application } from '../argocd/application.ts';

export function wantsTable(accept: string | undefined): boolean {
  return accept?.includes('as=Table') ?? false;
}

const COLUMNS = ['Name', 'Sync Status', 'Health Status'].map((name) => {
  const format = name === 'Name' ? 'name' : '';
  return { name, type: 'string', format, description: '', priority: 0 };
});

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
    rows: items.map(({ metadata: own, status }) => ({
      cells: [own.name, status?.sync?.status ?? '', status?.health?.status ?? ''],
      object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: own },
    })),
  };
}
