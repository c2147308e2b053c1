// Runs that are started by events, on the platform that bootstrap has brought up.
import { expect, test } from 'vitest';
import type { Bare } from '../kit/bare.ts';
import { causeOf, type EventWorkflow, Hooks, parametersOf } from '../kit/hooks.ts';
import { isDeployed } from '../kit/test.ts';
import { EXECUTOR } from '../kit/workflow-runs.ts';

const STORM = 20;
const HOOKS = { image: EXECUTOR, push: true, call: true };
const WATCH = { image: EXECUTOR, schedule: '* * * * *', degraded: true };

interface Given {
  readonly bare: () => Bare;
  readonly bootstrap: (role: string) => Promise<unknown>;
}

export const EVENTS = HOOKS;
const PLATFORM = ['api', 'bare-root', 'web'];

/** When a step of a Workflow was at work, in milliseconds. */
function timesOf({ status }: EventWorkflow, step: string): readonly [number, number] {
  const nodes = Object.values(status?.nodes ?? {});
  const node = nodes.find(({ displayName, type }) => displayName === step && type === 'Pod');
  return [Date.parse(node?.startedAt ?? ''), Date.parse(node?.finishedAt ?? '')];
}

/** The first run of all: everything is held, so nothing but that run can have brought it up. */
export function firstEventTest(bare: () => Bare): void {
  test('a push brings the platform up', async () => {
    const { stack, repository } = bare();
    const hooks = new Hooks(stack);
    await hooks.listening(['push', 'call']);
    const revision = await repository.revision();
    expect(await hooks.push(revision, await hooks.secret())).toBe(200);
    const workflow = await hooks.ended(`push of ${revision}`);
    expect(workflow.status?.phase).toBe('Succeeded');
    expect(parametersOf(workflow)).toMatchObject({ action: 'deploy', scope: 'platform' });
    const applications = (await stack.applications()).filter(isDeployed);
    expect(applications.map(({ metadata }) => metadata?.name).sort()).toEqual(PLATFORM);
    const operations = applications.map(({ status }) => JSON.stringify(status?.operationState));
    expect(operations.filter((text) => !text.includes('tiphys/op'))).toEqual([]);
  });
}

export function eventTests({ bare, bootstrap }: Given): void {
  const hooks = () => new Hooks(bare().stack);

  test('a push that is signed with another secret starts nothing, and is counted', async () => {
    const counts = async () => [
      await hooks().metric('event_processing_duration_milliseconds_count', 'push'),
      await hooks().metric('events_sent_total', 'push'),
    ];
    const [seen = 0, sent = 0] = await counts();
    const before = (await hooks().workflows()).length;
    expect(await hooks().push('1'.repeat(40), 'wrong')).toBe(400);
    expect(await counts()).toEqual([seen + 1, sent]);
    // Events become Workflows in their order: one that comes later is there, and it alone.
    const later = '2'.repeat(40);
    expect(await hooks().push(later, await hooks().secret())).toBe(200);
    await hooks().ended(`push of ${later}`);
    expect(await hooks().workflows()).toHaveLength(before + 1);
  });

  test('a push to another branch starts nothing, and a call does what it says', async () => {
    const [secret, token] = [await hooks().secret(), await hooks().secret('token')];
    const before = (await hooks().workflows()).length;
    expect(await hooks().call({}, 'wrong')).toBe(401);
    // What signs pushes is no key to calls, nor the other way round.
    expect(await hooks().call({}, secret)).toBe(401);
    expect(await hooks().push('3'.repeat(40), token)).toBe(400);
    expect(await hooks().push('3'.repeat(40), secret, 'refs/heads/other')).toBe(200);
    expect(await hooks().call({ scope: 'app:{{workflow.name}}' }, token)).toBe(200);
    expect(await hooks().call({ action: 'validate', scope: 'app:web' }, token)).toBe(200);
    const workflow = await hooks().ended('call');
    expect(workflow.status?.phase).toBe('Succeeded');
    expect(parametersOf(workflow)).toMatchObject({ action: 'validate', scope: 'app:web' });
    expect(await hooks().workflows()).toHaveLength(before + 1);
  });

  test('a storm of pushes leads to one run at a time, and to few', async () => {
    const secret = await hooks().secret();
    const known = new Set((await hooks().workflows()).map(({ metadata }) => metadata?.name));
    const told = Array.from({ length: STORM }, (_, at) => String(at).padStart(40, '0'));
    const answers = await Promise.all(told.map((revision) => hooks().push(revision, secret)));
    const last = Date.now();
    expect(answers).toEqual(told.map(() => 200));
    const ran = (await hooks().settled()).filter(
      (one) => !known.has(one.metadata?.name) && causeOf(one).startsWith('push of'),
    );
    const times = ran.map((one) => timesOf(one, 'deploy')).sort(([a], [b]) => a - b);
    console.log(`${STORM} pushes led to ${times.length} runs`);
    expect(ran.map(({ status }) => status?.phase)).toEqual(ran.map(() => 'Succeeded'));
    expect(times.length).toBeGreaterThan(0);
    expect(times.length).toBeLessThanOrEqual(4);
    // One after the other, and the last one knows of every push. Argo Workflows tells whole seconds.
    for (const [at, [begun]] of times.entries())
      expect(begun).toBeGreaterThanOrEqual(times[at - 1]?.[1] ?? 0);
    expect(times.at(-1)?.[0]).toBeGreaterThanOrEqual(last - 1000);
  });

  test('other events are taken up, and those that are off are gone', async () => {
    await bare().setEnvironment({ events: WATCH });
    await bootstrap('argo-events');
    await hooks().listening(['schedule', 'degraded']);
    await expect(hooks().push('4'.repeat(40), 'any')).rejects.toThrow();
    const change = { status: { health: { status: 'Degraded' } } };
    await bare().stack.run(
      ...['kubectl', '--namespace=argocd', 'patch', 'application', 'api'],
      ...['--type=merge', `--patch=${JSON.stringify(change)}`],
    );
    expect(parametersOf(await hooks().ended('api is Degraded'))).toMatchObject({
      ...{ action: 'validate', scope: 'platform' },
    });
    await bare().setEnvironment({ events: HOOKS });
    await bootstrap('argo-events');
    await hooks().settled();
  });
}
