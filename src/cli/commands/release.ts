// tiphys release: lifts the hold that a run left on what failed or was skipped.
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
    'Lift the hold on applications that a run left held. Argo CD may then sync them by itself, in whatever order.',
  examples: [
    ['tiphys release', 'everything that is held'],
    ['tiphys release --scope app:api --yes', 'one application, though its dependencies are unmet'],
  ],
  statuses: { [EXIT.failure]: 'no access to the cluster, or a run is active' },
  options: [
    ...FILES,
    SCOPE,
    new Option('--yes', 'also where dependencies are not Healthy'),
    ...CONNECTION,
  ],
  action: releaseAction,
};

async function releaseAction({ io }: Context, options: Options): Promise<ExitStatus> {
  const { plan, whole, target } = await openPlatform(io, 'deploy', options, 'deploy');
  const { heldApplications } = await import('../../session/hold/held.ts');
  const { release } = await import('../../session/hold/release-hold.ts');
  const held = await heldApplications(plan, target);
  if (held.length === 0) {
    io.stdout(renderLines(['Nothing is held.']));
    return EXIT.ok;
  }
  const present = held.filter(({ isGone }) => !isGone).map(({ id }) => id);
  const unmet = await unmetDependencies(whole, present, target, io);
  for (const line of unmet) io.stderr(renderWarning(line));
  if (unmet.length > 0 && !options.yes) throw unconfirmed();
  await release({
    plan: whole,
    applications: held.map(({ address }) => address),
    target,
    clock: io.clock,
    runId: io.randomId(),
    holder: `${io.processName()}/${io.randomId()}`,
    signal: new AbortController().signal,
    warn: (message) => io.stderr(renderWarning(message)),
  });
  io.stdout(renderLines([`released: ${held.map(({ address }) => address.name).join(', ')}`]));
  return EXIT.ok;
}

/** For each held node, what it depends on and is not Healthy. */
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
      `${shortName(id)} depends on ${shortName(root.node)}, which is not Healthy: ${root.message}`,
    ];
  });
}

function unconfirmed(): TiphysError {
  const message = 'Argo CD would deploy what is released before its dependencies are Healthy.';
  const hint = 'Deploy the dependencies first, or confirm with --yes.';
  return new TiphysError([{ code: 'release-unconfirmed', message, hint }]);
}
