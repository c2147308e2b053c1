import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { family, memberName } from '../kit/family.ts';
import { full } from '../kit/full.ts';
import { countByApplication, operationEndsSince, operationsSince } from '../kit/operations.ts';
import { listen } from '../kit/run-events.ts';
import type { Scratch } from '../kit/scratch.ts';
import { test } from '../kit/test.ts';
import { deployed, type Started, Tiphys } from '../kit/tiphys.ts';
import { configMap, deployment, preSyncPod } from '../kit/workloads.ts';

const SETTINGS = {
  gate: { dwell: '2s', degradedGrace: '60s' },
  timeouts: { sync: '4m', health: '4m' },
  retries: { maxAttempts: 3, backoff: '5s' },
};
const MEMBERS = ['a', 'b', 'c', 'd', 'e', 'f'] as const;
const OUTAGE_MS = 3_000;

/** Three layers of two. When the second one is in work, one of it has an operation that lasts. */
async function platform(scratch: Scratch): Promise<Tiphys> {
  const slow = [preSyncPod('hook', 'exit', '--after=4s'), deployment({ name: 'c' })];
  const stack = await family(scratch, [
    { suffix: 'a', manifests: configMap('a', {}) },
    { suffix: 'b', manifests: deployment({ name: 'b', readyAfter: '2s' }) },
    { suffix: 'c', manifests: slow, dependsOn: ['a'] },
    { suffix: 'd', manifests: configMap('d', {}), dependsOn: ['a', 'b'] },
    { suffix: 'e', manifests: deployment({ name: 'e' }), dependsOn: ['c'] },
    { suffix: 'f', manifests: configMap('f', {}), dependsOn: ['d', 'c'] },
  ]);
  const tiphys = new Tiphys(scratch);
  await tiphys.platform({ ...SETTINGS, stacks: [stack] });
  return tiphys;
}

/** One operation runs, others end, are judged or are about to be asked for. */
function inTheMiddle(run: Started, node: string): Promise<void> {
  return new Promise((resolve) => {
    listen(run, (event) => {
      if (event.type !== 'node.waiting' || event.node !== node) return;
      if (event.unmet.condition === 'no-operation-running') resolve();
    });
  });
}

/** Without the API server argocd-server does not answer either; without the repo server nothing is compared. */
const ASKED = ['argocd-application-controller', 'api-server'];
const ALL = [...ASKED, 'argocd-server', 'argocd-repo-server'];

describe('a part that is killed and restarted during a run', () => {
  test.for(full ? ALL : ASKED)(
    '%s: the run finishes without help, and nothing is synced twice',
    async (part, { stack, scratch }) => {
      const tiphys = await platform(scratch);
      const mark = await stack.audit.mark();
      const run = tiphys.start(['deploy', '-o', 'json']);
      await Promise.race([inTheMiddle(run, `app:${memberName(scratch, 'c')}`), run.ended]);
      await stack.kill(part);
      try {
        await sleep(OUTAGE_MS);
        expect(run.child.exitCode, run.stdout()).toBeNull();
      } finally {
        await stack.restart(part);
      }
      const { status, outcomes, report, stdout } = deployed(await run.ended);
      expect(status, stdout).toBe(0);
      expect(new Set(Object.values(outcomes))).toEqual(new Set(['healthy']));
      expect(report.held).toEqual([]);

      // An operation that Argo CD itself gave up for want of that part is asked for again, and no other.
      const ours = new RegExp(`^${scratch.name}-`);
      const operations = await operationsSince(stack, mark, ours);
      const ends = await operationEndsSince(stack, mark, ours);
      const names = ['parent', ...MEMBERS].map((suffix) => memberName(scratch, suffix));
      const failed = (name: string) =>
        ends.filter(({ application, phase }) => application === name && phase !== 'Succeeded')
          .length;
      expect(countByApplication(operations)).toEqual(
        Object.fromEntries(names.map((name) => [name, 1 + failed(name)])),
      );
      expect(operations.filter(({ automated }) => automated)).toEqual([]);
      for (const name of names) {
        const { status: now } = await stack.argocd.application(name);
        expect(now?.history?.length, `history of ${name}`).toBe(1);
      }
    },
  );
});
