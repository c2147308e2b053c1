// Writes a person's decision at a gate. It needs no run and no Lease: a run holds the Lease while it waits for the
// decision, and never writes one.
import { TiphysError } from '../../errors.ts';
import type { StoredText } from '../../ports/record-store.ts';
import type { Cluster } from '../../ports/target.ts';
import { refusal } from '../refused-write.ts';
import { rawPorts } from './raw-ports.ts';

const ATTEMPTS = 3;

/** The last decision counts. If the answer is lost, the same decision is sent again. */
export async function writeApproval(target: Cluster, text: StoredText): Promise<void> {
  const { name } = text;
  for (let attempt = 1; ; attempt++) {
    const result = await rawPorts(target).store.put(text, () => true);
    if (result.kind === 'done') return;
    if (result.kind === 'refused') throw refusal(result, 'cluster', `The ConfigMap "${name}"`);
    if (attempt >= ATTEMPTS) throw unanswered(name, result.message);
  }
}

function unanswered(name: string, why: string): TiphysError {
  const message = `It is unknown whether the ConfigMap "${name}" was written: ${why}.`;
  const hint = 'Run the same command again.';
  return new TiphysError([{ code: 'cluster-unreachable', message, hint }]);
}
