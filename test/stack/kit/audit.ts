// What was written to the API server, from its own audit log: who, what, when, in which order. "Nothing was written" is
// proved from here, not from what a program says of itself.

import { randomUUID } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import type { CoreV1Api } from '@kubernetes/client-node';
import { auditFile, type Config } from '../config.ts';
import { waitFor } from '../run.ts';

export interface Write {
  readonly at: Date;
  readonly doneAt: Date;
  readonly user: string;
  readonly userAgent: string;
  readonly verb: 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';
  /** For example 'applications.argoproj.io', 'configmaps', 'deployments.apps/status'. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  /** HTTP status of the answer: a refused write is in the log too. */
  readonly status: number;
  readonly dryRun: boolean;
  /** What policies and others note, by its key. */
  readonly annotations: Readonly<Record<string, string>>;
  /** What was sent and what came of it; only of Applications, AppProjects, ApplicationSets and Leases. */
  readonly request?: unknown;
  readonly response?: unknown;
}

/** What a user may do, and who it is, is asked by creating something that Kubernetes does not keep. */
export const isQuestion = ({ resource }: Pick<Write, 'resource'>): boolean =>
  resource.startsWith('selfsubject');

/** All that is given must fit; a string is compared whole, a pattern is searched for. */
export interface WriteFilter {
  readonly resource?: string | RegExp;
  readonly user?: string | RegExp;
  readonly namespace?: string | RegExp;
  readonly name?: string | RegExp;
  readonly verb?: Write['verb'];
}

/** A place in the log. */
export interface Mark {
  readonly offset: number;
}

const FENCE = 'audit-fence-';

export class AuditLog {
  readonly #file: string;
  readonly #core: CoreV1Api;

  /** Of the API server that `core` asks. */
  constructor(config: Config, core: CoreV1Api, file = auditFile(config)) {
    this.#file = file;
    this.#core = core;
  }

  /** From now on. */
  async mark(): Promise<Mark> {
    const { end } = await this.#fence(0);
    return { offset: end };
  }

  /** Every write since the mark that fits, in the order in which they arrived. */
  async since(mark: Mark, filter: WriteFilter = {}): Promise<Write[]> {
    const { text } = await this.#fence(mark.offset);
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => parseWrite(JSON.parse(line)))
      .filter((write) => !write.name.startsWith(FENCE) && fits(write, filter))
      .sort((a, b) => a.at.getTime() - b.at.getTime());
  }

  /**
   * The log is written just after an answer is sent, so a reader could be too early. A write of our own, one that
   * changes nothing, goes after all others: once it is in the log, they are.
   */
  async #fence(from: number): Promise<{ text: string; end: number }> {
    const name = `${FENCE}${randomUUID()}`;
    await this.#core.createNamespacedConfigMap({
      namespace: 'default',
      body: { metadata: { name } },
      dryRun: 'All',
    });
    return waitFor('the audit log to be written', async () => {
      const text = await readFrom(this.#file, from);
      const at = text.indexOf(name);
      const newline = at < 0 ? -1 : text.indexOf('\n', at);
      if (newline < 0) return undefined;
      const whole = text.slice(0, newline + 1);
      return { text: whole, end: from + Buffer.byteLength(whole) };
    });
  }
}

async function readFrom(path: string, offset: number): Promise<string> {
  const { size } = await stat(path);
  const file = await open(path);
  try {
    const buffer = Buffer.alloc(Math.max(0, size - offset));
    await file.read(buffer, 0, buffer.length, offset);
    return buffer.toString('utf8');
  } finally {
    await file.close();
  }
}

interface AuditEvent {
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  readonly requestURI: string;
  readonly verb: Write['verb'];
  readonly user: { readonly username: string };
  readonly userAgent?: string;
  readonly objectRef?: {
    readonly apiGroup?: string;
    readonly resource?: string;
    readonly subresource?: string;
    readonly namespace?: string;
    readonly name?: string;
  };
  readonly annotations?: Readonly<Record<string, string>>;
  readonly responseStatus?: { readonly code?: number };
  readonly requestObject?: unknown;
  readonly responseObject?: unknown;
}

function parseWrite(event: AuditEvent): Write {
  const { apiGroup, resource = '', subresource, namespace = '', name } = event.objectRef ?? {};
  const body = event.responseObject ?? event.requestObject;
  const named = (body as { metadata?: { name?: string } } | undefined)?.metadata?.name;
  return {
    at: new Date(event.requestReceivedTimestamp),
    doneAt: new Date(event.stageTimestamp),
    user: event.user.username,
    userAgent: event.userAgent ?? '',
    verb: event.verb,
    resource: `${[resource, apiGroup].filter(Boolean).join('.')}${subresource ? `/${subresource}` : ''}`,
    namespace,
    name: name ?? named ?? '',
    status: event.responseStatus?.code ?? 0,
    dryRun: event.requestURI.includes('dryRun=All'),
    annotations: event.annotations ?? {},
    request: event.requestObject,
    response: event.responseObject,
  };
}

function fits(write: Write, filter: WriteFilter): boolean {
  const is = (value: string, wanted: string | RegExp | undefined) =>
    wanted === undefined || (typeof wanted === 'string' ? value === wanted : wanted.test(value));
  return (
    is(write.resource, filter.resource) &&
    is(write.user, filter.user) &&
    is(write.namespace, filter.namespace) &&
    is(write.name, filter.name) &&
    is(write.verb, filter.verb)
  );
}
