// Every event that a run can write must be read back from its record.
import { expect, test, vi } from 'vitest';
import { runCli } from '../../src/cli/run-cli.ts';
import { processIo } from '../../src/process.ts';
import type { RunEvent } from '../../src/run/events.ts';
import { eventOf } from '../../src/session/record/event-shape.ts';

// A rehearsal takes seconds, and much more on a machine that is busy.
vi.setConfig({ testTimeout: 300_000 });

test.each([['deploy', '--fault', 'app:db sync-fails'], ['teardown']])(
  'every event of a %s is known',
  async (...args) => {
    const files = ['-f', 'test/goldens/fixtures/shop.yaml'];
    let stdout = '';
    const io = { ...processIo, stdout: (text: string) => (stdout += text), stderr: () => {} };
    await runCli(['rehearse', ...args, ...files, '-o', 'json'], io);
    const events = stdout
      .split('\n')
      .filter((line) => line.startsWith('{"type"') || line.startsWith('{"time"'))
      .map((line) => JSON.parse(line) as RunEvent);
    expect(events.length).toBeGreaterThan(20);
    expect(events.map(eventOf)).toEqual(events);
  },
);
