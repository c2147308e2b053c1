// What a checker sees: every change of the cluster as it is, every request as it is sent and as it is carried out, every event that Tiphys tells, every end of
// a process. And what it says when something is not as it must be.

import type { Carried } from '../../src/rehearsal/rehearsal.ts';
import type { RunEvent } from '../../src/run/events.ts';
import type { Change } from '../../src/simulator/cluster/object-store.ts';
import type { TransportRequest } from '../../src/targets/transport.ts';
import type { End, Life } from './life.ts';

export interface Violation {
  /** S1 to S12, L1 to L5, hold, order. */
  readonly invariant: string;
  /** Virtual seconds. */
  readonly at: number;
  readonly message: string;
}

export type Accuse = (invariant: string, message: string) => void;

export interface Witness {
  readonly changed?: (change: Change) => void;
  /** `cluster`: as destinations call it; '' is Argo CD's own. */
  readonly sent?: (life: Life, request: TransportRequest, cluster: string) => void;
  readonly carried?: (carried: Carried) => void;
  readonly happened?: (life: Life, event: RunEvent) => void;
  /** Whatever worked on this node for that life, a pod or a task of an agent, is gone, with a result or without. */
  readonly left?: (life: Life, node: string) => void;
  readonly ended?: (life: Life, end: End) => void;
}

const PROXY = /^\/api\/v1\/namespaces\/[^/]+\/services\/[^/]+\/proxy\/api\/v1(\/[^?]*)/;

/** What a write is about; undefined for what only reads. */
export type Write =
  | {
      readonly kind: 'sync' | 'terminate' | 'delete';
      readonly application: string;
      readonly body: unknown;
    }
  | { readonly kind: 'project'; readonly project: string; readonly body: unknown }
  | { readonly kind: 'lease' | 'record' | 'probe'; readonly name: string; readonly body: unknown }
  | { readonly kind: 'other'; readonly what: string; readonly body: unknown };

const writes = new WeakMap<TransportRequest, { readonly write: Write | undefined }>();

/** Every checker asks for it, of every request. */
export function writeOf(request: TransportRequest): Write | undefined {
  const known = writes.get(request) ?? { write: readWrite(request) };
  writes.set(request, known);
  return known.write;
}

function readWrite({ method, path, body }: TransportRequest): Write | undefined {
  // A review of rights is a question.
  if (method === 'GET' || path.endsWith('accessreviews')) return undefined;
  const argocd = PROXY.exec(path)?.[1];
  const what = `${method} ${path}`;
  if (argocd === undefined) {
    const [, kind, name = nameIn(body)] =
      /\/namespaces\/[^/]+\/(leases|configmaps|jobs|appprojects)(?:\/([^/?]+))?(?:\?|$)/.exec(
        path,
      ) ?? [];
    if (kind === 'appprojects' && method === 'PATCH')
      return { kind: 'project', project: decodeURIComponent(name), body };
    if (kind === 'leases') return { kind: 'lease', name, body };
    if (kind === 'jobs') return { kind: 'probe', name, body };
    return kind === 'configmaps' ? { kind: 'record', name, body } : { kind: 'other', what, body };
  }
  const [, collection, name = '', below = ''] = argocd.split('/').map(decodeURIComponent);
  const asked = `${method} ${collection} ${below}`;
  if (asked === 'POST applications sync') return { kind: 'sync', application: name, body };
  if (asked === 'DELETE applications operation')
    return { kind: 'terminate', application: name, body };
  if (asked === 'DELETE applications ') return { kind: 'delete', application: name, body };
  return { kind: 'other', what, body };
}

function nameIn(body: unknown): string {
  return (body as { metadata?: { name?: string } } | undefined)?.metadata?.name ?? '';
}

/** The application that a request to Argo CD is about. */
export function applicationIn({ path }: TransportRequest): string | undefined {
  const [, collection, name] = PROXY.exec(path)?.[1]?.split('/') ?? [];
  return collection === 'applications' && name ? decodeURIComponent(name) : undefined;
}

/** `tiphys/op` of a sync request. */
export function operationIn(infos: unknown): string | undefined {
  if (!Array.isArray(infos)) return undefined;
  return infos.find(({ name }) => name === 'tiphys/op')?.value;
}

/** Whether that life has the lease, by itself or by the Workflow that it is. */
export const isHolder = (life: string, holder: string): boolean =>
  holder === life || holder === `workflow argo/${life}/uid-${life}`;
