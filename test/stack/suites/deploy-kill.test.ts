import { describe, expect } from 'vitest';
import type { RunEvent } from '../../../src/run/events.ts';
import { family, memberName } from '../kit/family.ts';
import { countByApplication, operationsSince } from '../kit/operations.ts';
import { Relay } from '../kit/relay.ts';
import { listen } from '../kit/run-events.ts';
import type { Scratch } from '../kit/scratch.ts';
import { test } from '../kit/test.ts';
import { Tiphys } from '../kit/tiphys.ts';
import { configMap, deployment, preSyncPod } from '../kit/workloads.ts';

const SETTINGS = {
  gate: { dwell: '2s', degradedGrace: '30s' },
  timeouts: { sync: '4m', health: '4m' },
  retries: { maxAttempts: 1, backoff: '1s' },
};

interface Trap {
  readonly kill: () => void;
  readonly victim: string;
  readonly relay: Relay;
  readonly onEvent: (heard: (event: RunEvent) => void) => void;
}

/** A moment, and what has `kill` called then. */
type Moment = readonly [string, (trap: Trap) => void];

const isSyncOf = (victim: string, { method, path }: { method: string; path: string }) =>
  method === 'POST' && path.startsWith(`/api/v1/applications/${victim}/sync`);

const waitsFor = (victim: string, event: RunEvent, condition: string, message: RegExp) =>
  event.type === 'node.waiting' &&
  event.node === `app:${victim}` &&
  event.unmet.condition === condition &&
  message.test(event.unmet.message);

const MOMENTS: readonly Moment[] = [
  [
    'before the sync request gets to Argo CD',
    ({ kill, victim, relay }) => {
      relay.hooks.arrived = (passing) => {
        if (!isSyncOf(victim, passing)) return true;
        kill();
        return false;
      };
    },
  ],
  [
    'after the request is accepted, before the answer is read',
    ({ kill, victim, relay }) => {
      relay.hooks.answered = (passing, status) => {
        if (!isSyncOf(victim, passing) || status !== 200) return true;
        kill();
        return false;
      };
    },
  ],
  [
    'during the operation',
    ({ kill, victim, onEvent }) => {
      onEvent((event) => {
        if (waitsFor(victim, event, 'no-operation-running', /Running/)) kill();
      });
    },
  ],
  [
    'during the dwell',
    ({ kill, victim, onEvent }) => {
      onEvent((event) => {
        if (waitsFor(victim, event, 'dwell', /./)) setTimeout(kill, 500);
      });
    },
  ],
  [
    'when its gate has opened, before it is handed over',
    ({ kill, victim, onEvent }) => {
      onEvent((event) => {
        if (event.type === 'gate.opened' && event.node === `app:${victim}`) kill();
      });
    },
  ],
];

/** One before, one behind; the victim's operation lasts for some seconds, and so does its way to health. */
async function platform(scratch: Scratch): Promise<Tiphys> {
  const slow = [
    preSyncPod('hook', 'exit', '--after=4s'),
    deployment({ name: 'victim', readyAfter: '2s' }),
  ];
  const stack = await family(scratch, [
    { suffix: 'first', manifests: configMap('first', {}) },
    { suffix: 'victim', manifests: slow, dependsOn: ['first'] },
    { suffix: 'last', manifests: configMap('last', {}), dependsOn: ['victim'] },
  ]);
  const tiphys = new Tiphys(scratch);
  await tiphys.platform({ ...SETTINGS, stacks: [stack] });
  return tiphys;
}

// Each waits for the end of a dead run's Lease: together they wait once.
describe.concurrent('deploy, killed', () => {
  test.for(MOMENTS)(
    '%s: the same command finishes it, and nothing is synced twice',
    async ([, arm], { stack, scratch }) => {
      const tiphys = await platform(scratch);
      const relay = await Relay.start();
      scratch.afterwards(async () => relay.close());
      const args = ['-o', 'json', '--argocd-server', relay.url, '--argocd-insecure'];
      const mark = await stack.audit.mark();
      const killed = tiphys.start(['deploy', ...args]);
      const victim = memberName(scratch, 'victim');
      let kills = 0;
      arm({
        victim,
        relay,
        kill: () => {
          kills++;
          killed.child.kill('SIGKILL');
        },
        onEvent: (heard) => listen(killed, heard),
      });
      await killed.ended;
      expect(kills, killed.stdout()).toBeGreaterThan(0);
      expect(killed.child.signalCode).toBe('SIGKILL');
      const [started] = eventsOf(killed.stdout());
      relay.hooks.arrived = () => true;
      relay.hooks.answered = () => true;

      const again = await tiphys.deploy(...args.slice(2));
      expect(again.status, again.stdout).toBe(0);
      expect(again.events[0]).toMatchObject({ type: 'run.started', resumed: true });
      expect(again.report.run).toBe(started?.run);
      expect(again.report.held).toEqual([]);

      const operations = await operationsSince(stack, mark, new RegExp(`^${scratch.name}-`));
      const names = ['parent', 'first', 'victim', 'last'].map((one) => memberName(scratch, one));
      expect(countByApplication(operations)).toEqual(
        Object.fromEntries(names.map((name) => [name, 1])),
      );
      expect(operations.filter(({ automated }) => automated)).toEqual([]);
      for (const name of names) {
        const { status } = await stack.argocd.application(name);
        expect(status?.history?.length, `history of ${name}`).toBe(1);
      }
    },
  );
});

function eventsOf(stdout: string): RunEvent[] {
  const whole = stdout.slice(0, stdout.lastIndexOf('\n'));
  return whole.split('\n').map((line) => JSON.parse(line));
}
