// tiphys release: lifts the hold that a run left on failed or skipped applications.
import { Option } from 'commander';
import { EXIT, type ExitStatus, TiphysError } from '../../errors.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Cluster } from '../../ports/target.ts';
import { renderLines, renderWarning } from '../../view/lines.ts';
import { type CommandSpec, type Context, FILES, SCOPE } from '../command.ts';
import { CONNECTION, type ConnectionOptions, openPlatform } from '../input/connection.ts';
import type { PlanningOptions } from '../input/planning.ts';

interface Options extends PlanningOptions, ConnectionOptions {
  readonly yes?: boolean;
}

export const releaseCommand: CommandSpec = {
  name: 'release',
  description:
    'Lift the hold that a run left on applications. Argo CD can then sync them automatically, in any order.',
  examples: [
    ['tiphys release', 'release all applications on hold'],
    [
      'tiphys release --scope app:api --yes',
      'release one application although its dependencies are not healthy',
    ],
  ],
  statuses: { [EXIT.failure]: 'the cluster is not accessible, or a run is active' },
  options: [
    ...FILES,
    SCOPE,
    new Option('--yes', 'release even if dependencies are not healthy'),
    ...CONNECTION,
  ],
  action: releaseAction,
};

async function releaseAction({ io }: Context, options: Options): Promise<ExitStatus> {
  const { plan, whole, platform, target } = await openPlatform(io, 'deploy', options, 'deploy');
  const { requireClusterName } = await import('../../session/cluster-name.ts');
  await requireClusterName(platform.clusterName, target);
  const { heldApplications } = await import('../../session/hold/held.ts');
  const { release } = await import('../../session/hold/release-hold.ts');
  const { signal } = new AbortController();
  const onWait = (message: string) => io.stderr(renderLines([`waiting: ${message}`]));
  const waiting = { clock: io.clock, signal, onWait };
  const held = await heldApplications(plan, target);
  if (held.length === 0) {
    io.stdout(renderLines(['No application is on hold.']));
    return EXIT.ok;
  }
  const present = held.filter(({ isGone }) => !isGone).map(({ id }) => id);
  const unmet = await unmetDependencies(whole, present, target, io);
  for (const line of unmet) io.stderr(renderWarning(line));
  if (unmet.length > 0 && !options.yes) {
    // With a run that would refuse it, --yes is no way out.
    const { requireInactive } = await import('../../session/lease/outlive.ts');
    await requireInactive({ platform: whole.platform, leases: target.leases, ...waiting });
    throw unconfirmed();
  }
  await release({
    plan: whole,
    applications: held.map(({ address }) => address),
    target,
    ...waiting,
    runId: io.randomId(),
    holder: `${io.processName()}/${io.randomId()}`,
    warn: (message) => io.stderr(renderWarning(message)),
  });
  io.stdout(renderLines([`released: ${held.map(({ address }) => address.name).join(', ')}`]));
  return EXIT.ok;
}

/** For each node on hold, the dependency that is not healthy. */
async function unmetDependencies(
  whole: Plan,
  held: readonly string[],
  target: Cluster,
  io: Context['io'],
): Promise<string[]> {
  const { lookAtAll } = await import('../../engines/inspect/look.ts');
  const { explain } = await import('../../report/explanation.ts');
  const { shortName } = await import('../../plan/platform-graph.ts');
  const judged = whole.nodes.filter(
    ({ application, kind }) => application !== null && kind !== 'open',
  );
  const looks = await lookAtAll(judged, {
    target,
    clock: io.clock,
    signal: new AbortController().signal,
    concurrency: whole.concurrency,
    refresh: false,
  });
  const seen = new Map(looks.map(({ node, unmet, evidence }) => [node.id, { unmet, evidence }]));
  return held.flatMap((id) => {
    const root = explain(whole, seen, id).at(-1);
    if (!root || root.node === id || root.condition === 'open') return [];
    return [
      `${shortName(id)} depends on ${shortName(root.node)}, which is not healthy: ${root.message}`,
    ];
  });
}

function unconfirmed(): TiphysError {
  const message = 'Argo CD could sync these applications before their dependencies are healthy.';
  const hint = 'Deploy the dependencies first, or confirm with --yes.';
  return new TiphysError([{ code: 'release-unconfirmed', message, hint }]);
}
