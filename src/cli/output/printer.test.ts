// What is on the screen during a run and after Ctrl-C: the bytes are played on a terminal that knows the two sequences in use.
import { expect, test } from 'vitest';
import { buildPlan } from '../../plan/build-plan.ts';
import { compile } from '../../plan/compile.ts';
import { processIo } from '../../process.ts';
import type { RunEvent } from '../../run/events.ts';
import type { Io } from '../io.ts';
import { stopSignals } from '../run/signals.ts';
import { createPrinter } from './printer.ts';

const text = `
apiVersion: tiphys.dev/v1alpha1
kind: Platform
metadata: {name: shop}
spec:
  stacks:
    - name: s
      applications: [{name: db}, {name: api, dependsOn: [db]}, {name: web, dependsOn: [db]}]
`;
const PLAN = buildPlan(compile({ file: 'shop', text }), { action: 'deploy' });

const time = '2026-11-15T07:42:00.000Z';
const run = 'r1';
const started: RunEvent = { type: 'node.started', time, run, node: 'app:db', application: 'db' };
const ended = (node: string, outcome: 'failed' | 'skipped', message: string): RunEvent => ({
  type: 'node.finished',
  ...{ time, run, node, outcome, cause: { node: outcome === 'skipped' ? 'run' : node, message } },
  ...{ attempts: 0, operations: [], revisions: [], repositories: [] },
  durations: { wait: 0, sync: 0, health: 0, dwell: 0 },
});

const ESC = '\u001b';

/** The lines that a terminal shows. */
function shown(written: string): string[] {
  const lines = [''];
  const play = new RegExp(`${ESC}\\[(\\d+)F|${ESC}\\[0J|\n|[^${ESC}\n]+`, 'g');
  let row = 0;
  for (const [part, up] of written.matchAll(play)) {
    if (up !== undefined) row -= Number(up);
    else if (part === `${ESC}[0J`) lines.splice(row, lines.length, '');
    else if (part === '\n') {
      row++;
      lines[row] ??= '';
    } else lines[row] = part;
  }
  return lines.filter((line) => line !== '');
}

async function screen(columns: number | undefined) {
  let written = '';
  let press = () => {};
  const io: Io = {
    ...processIo,
    stderr: (more) => {
      written += more;
    },
    screen: () => (columns === undefined ? undefined : { columns, rows: 24 }),
    clock: { ...processIo.clock, sleep: () => new Promise(() => {}) },
    onSignal: (listener) => {
      press = listener;
      return () => {};
    },
    endWithin: () => {},
  };
  const now = () => Date.parse(time) + 4_000;
  const printer = await createPrinter(io, PLAN, { output: 'text', now });
  stopSignals(io, { notice: printer.notice });
  return { printer, press: () => press(), lines: () => shown(written) };
}

const FRAME = [
  '0 of 3 healthy, 1 in progress, about 4m56s remaining (estimate)',
  '  db  4s',
  'next: api (waits for db); web (waits for db)',
];
const STOPPING = 'Stopping: finishing db. Press Ctrl-C again to quit and leave it to Argo CD.';

test('Ctrl-C is one line above the progress, and no frame is left behind', async () => {
  const { printer, press, lines } = await screen(100);
  printer.event(started);
  press();
  expect(lines()).toEqual([STOPPING, ...FRAME]);
  printer.event(ended('app:db', 'failed', 'interrupted'));
  printer.event(ended('app:api', 'skipped', 'interrupted'));
  printer.event(ended('app:web', 'skipped', 'interrupted'));
  printer.close();
  expect(lines()).toEqual([
    STOPPING,
    '07:42:00 db: failed: interrupted',
    '07:42:00 2 skipped: interrupted (api, web)',
  ]);
});

test('Ctrl-C twice says how to resume', async () => {
  const { printer, press, lines } = await screen(100);
  printer.event(started);
  press();
  press();
  expect(lines().slice(1, 2)).toEqual([
    'Quitting: Argo CD continues db; rerun the command to resume. Press Ctrl-C again to exit immediately.',
  ]);
  printer.close();
});

test('without a terminal, Ctrl-C is the same line', async () => {
  const { printer, press, lines } = await screen(undefined);
  printer.event(started);
  press();
  printer.event(ended('app:api', 'skipped', 'interrupted'));
  printer.close();
  expect(lines()).toEqual([STOPPING, '07:42:00 1 skipped: interrupted (api)']);
});
