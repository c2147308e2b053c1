// Whoever only looks makes no Job, and says what was not tried. Nor does whoever has lost the Lease, or tears down.
import { expect, test } from 'vitest';
import { dryRun } from '../../../src/engines/inspect/dry-run.ts';
import { explainNode } from '../../../src/engines/inspect/explain-node.ts';
import { statusOf } from '../../../src/engines/inspect/read-status.ts';
import { requireHealthy } from '../../../src/engines/inspect/required-gates.ts';
import { validate } from '../../../src/engines/inspect/validate-platform.ts';
import { renderExplanation } from '../../../src/view/explain-text.ts';
import { renderStatus } from '../../../src/view/status-text.ts';
import { renderValidation } from '../../../src/view/validation-text.ts';
import { codeOf, failure } from '../../fakes/failure.ts';
import { BAD } from '../../fakes/probes.ts';
import { app, outcomes, planFrom, World } from '../../fakes/run-world.ts';

const SPEC = {
  stacks: [
    {
      name: 's',
      applications: [
        app('vault', [], { gate: { probe: { tcp: 'vault.svc:8200' } } }),
        app('api', ['vault']),
      ],
    },
  ],
};
const PLAN = planFrom(SPEC);

function settled() {
  const world = new World({ vault: {}, api: {} });
  for (const name of ['vault', 'api']) world.settle(name);
  world.argocd.probes.usual = BAD;
  const { target, clock } = world;
  const signal = new AbortController().signal;
  return { world, target, clock, parts: { target, clock, signal, concurrency: 5, refresh: true } };
}

test('validate', async () => {
  const { world, clock, parts } = settled();
  const found = await clock.until(validate(PLAN, parts));
  expect([found.exitStatus, found.notProbed]).toEqual([0, ['app:vault']]);
  expect(renderValidation(found)).toContain(
    'Not probed, because only deployments run probes: vault\n',
  );
  expect(world.argocd.probes.made).toEqual([]);
});

test('explain, of the node and of what is behind it', async () => {
  const { world, clock, parts } = settled();
  for (const name of ['vault', 'api']) {
    const links = await clock.until(explainNode(PLAN, { kind: 'app', name }, parts));
    expect(renderExplanation(links)).toBe(
      `${name}: healthy\nvault: its probe was not run: only deployments run probes\n`,
    );
  }
  expect(world.argocd.probes.made).toEqual([]);
});

test('status, and a dry run', async () => {
  const { world, target, clock, parts } = settled();
  const status = await clock.until(statusOf(PLAN, target, clock));
  expect(renderStatus(status)).toContain(
    'probe of vault (vault.svc:8200): only runs during deployments\n',
  );
  const { nodes } = await clock.until(dryRun(PLAN, PLAN, parts));
  expect(nodes.map(({ id, reason }) => [id, reason])).toEqual([
    ['app:vault', 'Synced, Healthy; runs a probe'],
    ['app:api', 'Synced, Healthy'],
  ]);
  expect(world.argocd.probes.made).toEqual([]);
});

test('a dry run of a scope is refused for what the deployment is refused for', async () => {
  const { world, clock, parts } = settled();
  world.argocd.change('vault', {
    health: { status: 'Degraded', message: 'sealed', lastTransition: undefined },
  });
  const plan = planFrom(SPEC, { scope: ['app:api'] });
  const refused = failure(dryRun(plan, PLAN, parts));
  expect(codeOf(await clock.until(refused))).toBe('dependencies-not-healthy');
  expect(await clock.until(dryRun(PLAN, PLAN, parts))).toMatchObject({ nodes: [{}, {}] });
});

test('a scope behind it, with a warning', async () => {
  const { world, clock, parts } = settled();
  const plan = planFrom(SPEC, { scope: ['app:api'] });
  const required = await clock.until(requireHealthy(plan, PLAN, parts));
  const report = await world.run(plan, { required });
  expect([report.exitStatus, outcomes(report).api]).toEqual([0, 'unchanged']);
  expect(report.warnings).toEqual([
    'the scope depends on "vault", whose probe did not run because it is outside the scope',
  ]);
  expect(world.argocd.probes.made).toEqual([]);
});

test('a run that has lost its Lease makes no Job', async () => {
  const world = new World({ vault: { health: 60 }, api: {} });
  const run = world.start(PLAN);
  await world.clock.advance(30_000);
  const lease = world.argocd.leases.peek('tiphys-shop');
  if (!lease) throw new Error('no lease');
  world.argocd.leases.put({ ...lease, holder: 'another' });
  await world.clock.until(run).catch(() => undefined);
  expect(world.argocd.probes.made).toEqual([]);
});
