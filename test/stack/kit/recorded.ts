// Applications for recordings: what they show, and how they are brought to show it.

import { applicationView } from '../../../src/targets/application/view.ts';
import { operationOf, Recorder } from './recorder.ts';
import type { Scratch } from './scratch.ts';

/** Synced and Healthy, by an operation that succeeded, and nothing more is asked for. */
export const isDone = (raw: unknown) => {
  const { operation, operationState, refreshPending, sync, health } = applicationView(raw);
  const deployed = sync.status === 'Synced' && health.status === 'Healthy';
  const idle = !operation && !refreshPending;
  return idle && operationState?.phase === 'Succeeded' && deployed;
};

/** Seconds from the end of its operation to the comparison that it shows. */
export const lag = (raw: unknown) => {
  const { reconciledAt = 0, operationState } = applicationView(raw);
  return reconciledAt - (operationState?.finishedAt ?? 0);
};

export const kubectl = (scratch: Scratch, ...args: string[]) =>
  scratch.stack.run('kubectl', '--namespace=argocd', ...args);

export async function patched(scratch: Scratch, name: string, patch: unknown): Promise<object> {
  const how = Array.isArray(patch) ? 'json' : 'merge';
  const target = ['patch', 'applications.argoproj.io', name, `--type=${how}`, '--output=json'];
  return JSON.parse(await kubectl(scratch, ...target, '--patch', JSON.stringify(patch)));
}

/** An Application of these files, deployed by an operation of ours. */
export async function deployed(scratch: Scratch, files: Record<string, object>) {
  const recorder = new Recorder(scratch);
  const entries = Object.entries(files).map(([file, content]) => [`a/${file}.yaml`, content]);
  await scratch.repository.commit(Object.fromEntries(entries));
  const name = await scratch.application('a', { path: 'a' });
  const raw = await recorder.synced(name, 'run/app:a/1');
  return { recorder, name, raw, operation: operationOf(raw) };
}
