// The reference platform from nothing: 43 applications in 11 stacks, all of them synced by themselves but for the hold.
import { describe, expect } from 'vitest';
import { isQuestion } from '../kit/audit.ts';
import { census } from '../kit/census.ts';
import { full } from '../kit/full.ts';
import { operationsSince } from '../kit/operations.ts';
import { Reference } from '../kit/reference.ts';
import { expectDeployedInOrder } from '../kit/reference-order.ts';
import { expectTornDown } from '../kit/reference-removal.ts';
import { test } from '../kit/test.ts';
import { changesIn } from '../kit/traces.ts';
import { ownUser } from '../kit/user.ts';

const MINUTE = 60_000;

const IMPATIENT = '    ceph: {timeouts: {sync: 60s, health: 60s}}\n';

// Order, and nothing done where nothing is to do: deploy.test.ts. Removal in reverse: teardown.test.ts. Its manifests:
// reference-manifests.test.ts.
describe('the reference platform', () => {
  test.runIf(full)(
    'comes up from nothing in the order of its dependencies; again, nothing is done; goes in reverse',
    {
      timeout: 28 * MINUTE,
    },
    async ({ stack, scratch }) => {
      const user = await ownUser(scratch);
      const reference = await Reference.create(scratch, { KUBECONFIG: user.kubeconfig });
      const before = await census(stack);
      await reference.bootstrap();
      const begin = Date.now();
      const first = await reference.tiphys.deploy();
      expect(first.report.nodes.filter(({ cause }) => cause)).toEqual([]);
      expect(first.status).toBe(0);
      expect(new Set(Object.values(first.outcomes))).toEqual(new Set(['healthy']));
      console.log(`the reference platform is up after ${(Date.now() - begin) / 1000} s`);

      await expectDeployedInOrder(reference);
      const deployed = await reference.dump();
      expect(Object.keys(deployed).length).toBeGreaterThan(150);

      const mark = await stack.audit.mark();
      const second = await reference.tiphys.deploy();
      expect(second.status).toBe(0);
      expect(new Set(Object.values(second.outcomes))).toEqual(new Set(['unchanged']));
      expect(changesIn(await reference.writesSince(mark))).toEqual([]);
      const sent = await stack.audit.since(mark, { user: user.name });
      const written = sent.filter((one) => !isQuestion(one)).map(({ resource }) => resource);
      expect(new Set(written)).toEqual(new Set(['leases.coordination.k8s.io', 'configmaps']));
      expect(await reference.dump()).toEqual(deployed);
      await expectTornDown(stack, reference, before);
      await reference.bootstrap();
      const third = await reference.tiphys.deploy();
      expect(third.report.nodes.filter(({ cause }) => cause)).toEqual([]);
      expect(third.status).toBe(0);
    },
  );

  test.runIf(full)(
    'a Ceph that never becomes ready holds back what is behind it; once it does, only that is touched',
    {
      timeout: 12 * MINUTE,
    },
    async ({ stack, scratch }) => {
      const reference = await Reference.create(scratch);
      const manifest = 'stand-ins/ceph-cluster/cluster.yaml';
      const good = 'metadata: {name: rook-ceph}';
      const bad =
        'metadata: {name: rook-ceph, annotations: {standin.tiphys.dev/script: Progressing}}';
      await reference.edit(manifest, good, bad);
      await reference.edit('platform.yaml', '  classes:\n', `  classes:\n${IMPATIENT}`);
      await reference.edit('platform.yaml', 'dwell: 10s', 'dwell: 2s');
      await reference.bootstrap();
      const dependencies = await reference.dependencies();
      const behind = new Set(['ceph-cluster']);
      for (let before = -1; before < behind.size; ) {
        before = behind.size;
        for (const [name, needs] of dependencies)
          if ([...needs].some((one) => behind.has(one))) behind.add(name);
      }
      const skipped = [...behind].filter((name) => name !== 'ceph-cluster').sort();
      expect(skipped).toContain('temporal');
      expect(skipped.length).toBeGreaterThan(15);

      const first = await reference.tiphys.deploy();
      expect(first.status).toBe(2);
      const applications = Object.entries(first.outcomes).filter(([id]) => id.startsWith('app:'));
      const having = (outcome: string) =>
        applications.flatMap(([id, one]) => (one === outcome ? id.slice('app:'.length) : []));
      expect(having('failed')).toEqual(['ceph-cluster']);
      const members = skipped.filter((name) => !name.endsWith('-stack'));
      expect(having('skipped').sort()).toEqual(members);
      expect(having('healthy')).toHaveLength(43 - 1 - members.length);
      const cause = first.report.nodes.find(({ id }) => id === 'app:temporal')?.cause;
      expect(cause?.node).toBe('app:ceph-cluster');
      const found = await reference.applications();
      for (const name of members) {
        // Those of a stack that was not opened do not even exist.
        expect(found.get(name)?.status ?? {}, name).not.toHaveProperty('operationState');
      }

      await reference.edit(manifest, bad, good);
      await scratch.repository.commit({});
      const mark = await stack.audit.mark();
      const second = await reference.tiphys.deploy();
      expect(second.report.nodes.filter((node) => node.cause)).toEqual([]);
      expect(second.status).toBe(0);
      const made = await operationsSince(stack, mark, /./);
      const touched = new Set(made.map(({ application }) => application));
      const others = [...dependencies.keys()].filter(
        (name) => !behind.has(name) && !name.endsWith('-stack'),
      );
      expect(others.filter((name) => touched.has(name))).toEqual([]);
      expect([...behind].filter((name) => !touched.has(name))).toEqual([]);
    },
  );
});
