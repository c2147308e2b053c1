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
