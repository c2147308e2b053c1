// What was done to the things of one test, from the audit log and by whomever.

import type { Mark, Write } from './audit.ts';
import { type Operation, operationsSince } from './operations.ts';
import type { Scratch } from './scratch.ts';

interface Body {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string | null>> };
  readonly status?: {
    readonly sync?: { readonly status?: string };
    readonly health?: { readonly status?: string };
    readonly operationState?: { readonly phase?: string };
  };
}

const APPLICATIONS = 'applications.argoproj.io';
const REFRESH = 'argocd.argoproj.io/refresh';
const CONTROLLER = 'argocd-application-controller';

/** Every operation that the test's Applications were given, in order; the names without the scratch's. */
export async function operationsOf(scratch: Scratch, mark: Mark): Promise<Operation[]> {
  const all = await operationsSince(scratch.stack, mark, new RegExp(`^${scratch.name}-`));
  return all.map((one) => ({ ...one, application: suffixOf(scratch, one.application) }));
}

/** When each Application was Synced and Healthy for the first time after an operation, as Argo CD wrote it down. */
export async function healthySince(scratch: Scratch, mark: Mark): Promise<Map<string, number>> {
  const first = new Map<string, number>();
  for (const { name, doneAt, response } of await writesTo(scratch, mark, APPLICATIONS)) {
    const { sync, health, operationState } = ((response ?? {}) as Body).status ?? {};
    const deployed = sync?.status === 'Synced' && health?.status === 'Healthy';
    const application = suffixOf(scratch, name);
    if (deployed && operationState?.phase === 'Succeeded' && !first.has(application))
      first.set(application, doneAt.getTime());
  }
  return first;
}

/** How often a refresh was asked for. */
export async function refreshesSince(scratch: Scratch, mark: Mark): Promise<number> {
  return (await writesTo(scratch, mark, APPLICATIONS)).filter(isRefresh).length;
}

/**
 * Every write, refused ones too, to what the test has: its Applications, its AppProjects, its namespace, its platform's
 * Lease and record. Left out are a refresh, what the controller notes in an Application's status, and events.
 */
export async function changesSince(scratch: Scratch, mark: Mark): Promise<string[]> {
  return changesIn(await writesTo(scratch, mark));
}

export function changesIn(writes: readonly Write[]): string[] {
  const changes = writes.filter(
    (write) => !isRefresh(write) && !isNote(write) && !/^events\b/.test(write.resource),
  );
  return changes.map(({ verb, resource, name, user }) => `${verb} ${resource} ${name} by ${user}`);
}

async function writesTo(scratch: Scratch, mark: Mark, resource?: string): Promise<Write[]> {
  const all = await scratch.stack.audit.since(mark, resource === undefined ? {} : { resource });
  return all.filter((write) => `${write.namespace}/${write.name}`.includes(scratch.name));
}

function isRefresh({ resource, verb, request }: Write): boolean {
  if (resource !== APPLICATIONS || verb !== 'patch') return false;
  const { metadata, ...more } = (request ?? {}) as Body;
  return Boolean(metadata?.annotations?.[REFRESH]) && Object.keys(more).length === 0;
}

/** Neither spec nor operation. */
function isNote({ resource, verb, user, request }: Write): boolean {
  if (resource !== APPLICATIONS || verb !== 'patch' || user !== CONTROLLER) return false;
  return Object.keys((request ?? {}) as Body).every((key) => ['metadata', 'status'].includes(key));
}

function suffixOf(scratch: Scratch, name: string): string {
  return name.replace(`${scratch.name}-`, '');
}
