// The events of a running `deploy -o json`, each in the moment in which its line is read.

import type { RunEvent } from '../../../src/run/events.ts';
import type { Started } from './tiphys.ts';

export function listen({ child }: Started, heard: (event: RunEvent) => void): void {
  let rest = '';
  child.stdout?.on('data', (data: Buffer) => {
    const lines = (rest + data.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines.filter(Boolean)) {
      const parsed = JSON.parse(line);
      if (parsed.type !== undefined) heard(parsed);
    }
  });
}

/** The first event that fits. A run that ends before has failed the test. */
export function heard(run: Started, fits: (event: RunEvent) => boolean): Promise<RunEvent> {
  return new Promise((resolve, reject) => {
    listen(run, (event) => {
      if (fits(event)) resolve(event);
    });
    void run.ended.then(({ stdout, stderr }) =>
      reject(new Error(`it ended before that was heard: ${stdout}${stderr}`)),
    );
  });
}

/** Until the run says that the node waits for somebody. */
export async function asked(run: Started, node: string): Promise<void> {
  await heard(
    run,
    (event) =>
      event.type === 'node.waiting' && event.node === node && event.unmet.condition === 'approved',
  );
}
