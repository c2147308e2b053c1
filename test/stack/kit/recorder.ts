// Makes the recordings that the gate's tests judge. Each is judged at once, so a suite fails where Argo CD shows something
// else than what was recorded; files are written only when asked to: TIPHYS_RECORD=1.

import { writeFile } from 'node:fs/promises';
import { expect } from 'vitest';
import type { AwaitedOperation } from '../../../src/gate/conditions.ts';
import { operationIdOf } from '../../../src/session/identity.ts';
import { applicationView } from '../../../src/targets/application/view.ts';
import { judged, type Look, type Recording } from '../../recordings/gate-recording.ts';
import { RECORDED, RECORDINGS, type RecordingName } from '../../recordings/ways.ts';
import { run, waitFor } from '../run.ts';
import type { Mark } from './audit.ts';
import type { Scratch } from './scratch.ts';

type Raw = Record<string, unknown>;

/** What the node holds against what it sees; by default the object itself, without an operation. */
interface Held {
  readonly uid?: string;
  readonly operation?: AwaitedOperation | undefined;
  readonly laterThan?: number;
  readonly before?: Look;
}

export class Recorder {
  readonly #scratch: Scratch;

  constructor(scratch: Scratch) {
    this.#scratch = scratch;
  }

  /** As the gate looks: the Application, without a refresh, and then its live resources. */
  async look(name: string): Promise<Look> {
    const application = await this.get(name);
    return { application, managedResources: await this.managedResources(name) };
  }

  get(name: string): Promise<object> {
    return this.#scratch.stack.argocd.request('GET', `applications/${name}`);
  }

  managedResources(name: string): Promise<unknown> {
    return this.#scratch.stack.argocd.request('GET', `applications/${name}/managed-resources`);
  }

  /** Once Argo CD has compared it after the end of its operation, or after that second. */
  async compared(name: string, laterThan?: number): Promise<object> {
    return await waitFor(`${name} to be compared`, async () => {
      await this.#scratch.stack.argocd.application(name, 'normal');
      const raw = await this.get(name);
      const { operation, operationState, refreshPending, reconciledAt = 0 } = applicationView(raw);
      const since = laterThan ?? operationState?.finishedAt ?? 0;
      return !operation && !refreshPending && reconciledAt > since && raw;
    });
  }

  /** Syncs as a run does, until the operation has ended and was compared. */
  async synced(name: string, id: string, body: Raw = {}): Promise<object> {
    const infos = [{ name: 'tiphys/op', value: id }];
    await this.#scratch.stack.argocd.sync(name, { infos, ...body });
    await this.#scratch.stack.application(name, `${id} has ended`, (raw) => {
      const { operation, operationState } = applicationView(raw);
      return !operation && operationIdOf(operationState) === id;
    });
    return await this.compared(name);
  }

  /** A version of the Application as it was written since then, from the audit log: some are there for milliseconds. */
  async version(
    name: string,
    mark: Mark,
    wanted: (raw: object) => boolean,
  ): Promise<object | undefined> {
    const filter = { resource: 'applications.argoproj.io', name };
    const writes = await this.#scratch.stack.audit.since(mark, filter);
    return writes
      .filter(({ status, verb }) => status < 300 && verb !== 'delete')
      .map(({ response }) => response as object)
      .find(wanted);
  }

  /** Judges it, and writes it down where that is wanted. */
  async record(name: RecordingName, look: object, held: Held = {}): Promise<void> {
    const seen = isLook(look) ? look : { application: look, managedResources: null };
    const view = applicationView(seen.application);
    const { operation } = held;
    const laterThan = held.laterThan ?? operation?.finishedAt ?? (view.reconciledAt ?? 0) - 1;
    const recording: Recording = {
      uid: held.uid ?? view.uid,
      operation: operation ? { ...operation, id: operation.id ?? null } : null,
      laterThan,
      before: held.before ? trimmed(held.before) : null,
      ...trimmed(seen),
    };
    const { shutBy, without } = RECORDED[name];
    expect({ name, shutBy: judged(recording) }).toEqual({ name, shutBy });
    if (shutBy !== 'open')
      expect({ name, without: judged(recording, shutBy) }).toEqual({ name, without });
    if (process.env.TIPHYS_RECORD === '1') await this.#write(name, recording);
  }

  /** Without the names of this test's own things, and as the formatter wants it. */
  async #write(name: string, recording: Recording): Promise<void> {
    const { repository, name: scratch } = this.#scratch;
    const text = JSON.stringify(recording, undefined, 2)
      .replaceAll(repository.url, 'file:///repository')
      .replaceAll(scratch, 'scratch');
    const file = `${RECORDINGS}/${name}.json`;
    await writeFile(file, `${text}\n`);
    await run('npx', ['biome', 'format', '--write', file]);
  }
}

/** The operation that an Application shows, as a node holds it that has seen its end. */
export function operationOf(raw: unknown): AwaitedOperation {
  const { operationState } = applicationView(raw);
  const { finishedAt, revisions } = operationState ?? {};
  if (finishedAt === undefined || !revisions) throw new Error('it shows no end of an operation');
  return { id: operationIdOf(operationState), finishedAt, revisions };
}

function isLook(given: object): given is Look {
  return 'managedResources' in given;
}

function trimmed({ application, managedResources }: Look): Look {
  const { metadata, spec, operation, status } = application as Record<string, Raw | undefined>;
  const { history: _, summary: __, ...kept } = status ?? {};
  const { items = [] } = (managedResources ?? {}) as { items?: Raw[] };
  return {
    application: {
      metadata: pick(metadata, ['name', 'namespace', 'uid', 'resourceVersion', ...TOLD]),
      spec,
      ...(operation ? { operation } : {}),
      status: kept,
    },
    managedResources: managedResources === null ? null : { items: items.map(trimmedItem) },
  };
}

const TOLD = ['annotations', 'deletionTimestamp', 'finalizers', 'ownerReferences'];

function trimmedItem(item: Raw): Raw {
  const live = JSON.parse(String(item.liveState || 'null')) as Raw | null;
  const { metadata, status } = live ?? {};
  const state = live && { metadata: pick(metadata, ['name', 'generation']), status };
  return {
    ...pick(item, ['group', 'kind', 'namespace', 'name', 'hook']),
    liveState: JSON.stringify(state),
  };
}

function pick(from: unknown, keys: readonly string[]): Raw {
  const all = Object.entries((from ?? {}) as Raw);
  return Object.fromEntries(all.filter(([key]) => keys.includes(key)));
}
