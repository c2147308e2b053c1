// The platform is to be deployed.
import { deploy } from '../../src/engines/embedded/run-deploy.ts';
import { buildPlan } from '../../src/plan/build-plan.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { API, type Application } from '../../src/simulator/argocd/application.ts';
import type { KubeObject } from '../../src/simulator/cluster/object-store.ts';
import { isBreakable } from './breakable.ts';
import { asked } from './checks/approvals.ts';
import { Gates } from './checks/gates.ts';
import { Guard } from './checks/guard.ts';
import { Holds } from './checks/hold.ts';
import { Leases } from './checks/lease.ts';
import { Liveness } from './checks/liveness.ts';
import { Operations } from './checks/operations.ts';
import { Order } from './checks/order.ts';
import { Outcomes } from './checks/outcome.ts';
import { Probes } from './checks/probes.ts';
import { Records } from './checks/record.ts';
import { Writes } from './checks/writes.ts';
import { expectedSeconds } from './expected.ts';
import { forgottenSets, REPOSITORY } from './land.ts';
import type { Command, End } from './life.ts';
import { compiledOf, type Mission, type MissionParts } from './mission.ts';
import type { World } from './seeded-world.ts';
import { NAMESPACE } from './shape.ts';
import { Truth } from './truth.ts';

export const planOf = (world: World): Plan =>
  buildPlan(compiledOf(world), {
    action: 'deploy',
    scope: world.scope ?? [],
    withDependencies: true,
  });

export const deploying =
  (plan: Plan, keepHold = false): Command =>
  (parts) =>
    deploy({
      ...{ plan, required: [], keepHold, concurrency: plan.concurrency },
      ...parts,
    });

export function deployment(
  { world, rehearsal, accuse }: MissionParts,
  by: 'process' | 'workflow' = 'process',
): Mission {
  const { time, objects, git } = rehearsal;
  const now = () => time.now;
  const get = (kind: string, name: string) => objects.get(API, kind, NAMESPACE, name);
  const truth = new Truth(world, now);
  const gates = new Gates(world, truth, now, accuse);
  const head = () => git.head(REPOSITORY);
  const wantedAt = (name: string, revision: string) => git.read(REPOSITORY, name, revision);
  const operations = new Operations({ world, truth, head, wantedAt, accuse });
  const writes = new Writes(world, get, accuse, ['sync', 'terminate']);
  const records = new Records(world, accuse);
  const liveness = new Liveness(world, now, accuse, by === 'process' ? 'deploy' : by);
  const guard = new Guard(world, now);
  const parts = { world, truth, guard, now, accuse };
  const order = new Order(parts);
  const plan = planOf(world);

  const approvals = world.asking.size > 0 ? asked({ ...parts, rehearsal }) : [];

  let breakable = false;
  const begin = () => {
    const { workloads, changed, wasDeployed } = world;
    const versions = [...workloads.keys()].map(
      (name) => [name, wasDeployed && changed.has(name) ? 2 : 1] as const,
    );
    truth.want(git.head(REPOSITORY), new Map(versions));
    for (const object of forgottenSets(world)) {
      const made = objects.create(object);
      time.after(world.end * 1_000, () => objects.remove(made));
    }
    guard.begin();
    order.begin();
    operations.begin();
    breakable = isBreakable(world, truth);
  };
  const isCompared = (name: string) =>
    statusOf(truth.application(name))?.sync?.status !== 'Unknown';
  /** All is as it should be, and the command again writes nothing. */
  const afterwards = async (again: () => Promise<End>) => {
    for (const name of world.planned) {
      if (!truth.of(name).inTruth.isGood)
        accuse('L4', `it is done, and ${name} is not as it should be`);
    }
    // What people began and gave up is synced once more, and held meanwhile.
    const givenUp = [...world.planned].filter((name) => wasGivenUp(truth.application(name))).length;
    // A hold that is left is taken over by the next run; one is put up where Argo CD has not looked again since an error.
    const isHeld =
      guard.holdsAnything || givenUp > 0 || [...world.planned].some((name) => !isCompared(name));
    const written = () => (isHeld ? writes.ofApplications : writes.count);
    const before = written();
    const end = await again();
    if (end.kind !== 'report' || end.report.exitStatus !== 0)
      accuse('L4', `the same command again ends with ${JSON.stringify(end)}`);
    if (written() - before > givenUp)
      accuse('S3', `the same command again writes ${written() - before} times`);
  };
  return {
    close: () => (by === 'process' ? records.compare(objects) : undefined),
    ...{
      begin,
      afterwards,
      command: deploying(plan, world.mode === 'gated'),
      expected: expectedSeconds(world),
    },
    witnesses: [
      ...[truth, guard, order, gates, operations, writes, new Leases(now, accuse)],
      ...[new Holds(parts), liveness, new Outcomes({ ...parts, by })],
      ...approvals,
      ...(world.probing.size > 0 ? [new Probes(parts)] : []),
      // A Workflow is many processes, each of which tells its part.
      ...(by === 'process' ? [records] : []),
    ],
    counts: () => ({
      ...{ requests: liveness.requests, busiest: liveness.busiest },
      ...{ operations: operations.accepted, deceived: gates.deceived + order.deceived },
      ...{ excused: order.excused, isBreakable: breakable },
    }),
  };
}

const statusOf = (object: KubeObject | undefined) => (object as Application | undefined)?.status;

const wasGivenUp = (object: KubeObject | undefined): boolean => {
  const state = statusOf(object)?.operationState;
  return state?.phase === 'Failed' && state.operation.initiatedBy?.username === 'somebody';
};
