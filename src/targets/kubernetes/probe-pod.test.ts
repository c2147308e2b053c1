// The pod that asks: made, waited for, read and always removed.
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { FakeTransport, failure, json, type Reply } from '../../../test/fakes/transport.ts';
import { VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import type { TransportRequest } from '../transport.ts';
import { kubernetesApi } from './api.ts';
import { askFromPod } from './probe-pod.ts';

const REQUEST = {
  ...{ image: 'executor:1', name: 'probe' },
  questions: [{ id: 'a', kind: 'http', url: 'https://a.example.com' } as const],
};
const POD = '/api/v1/namespaces/default/pods/probe';

interface Case {
  readonly status?: object;
  readonly made?: Reply;
  readonly log?: string;
  readonly removed?: readonly Reply[];
}

async function ask({ status, made, log = '', removed = [json({})] }: Case) {
  const removals = [...removed];
  const clock = new VirtualClock();
  const transport = new FakeTransport(({ method, path }: TransportRequest) => {
    if (method === 'POST') return made ?? json({}, 201);
    if (method === 'DELETE') return removals.shift() ?? failure();
    if (path === `${POD}/log?` || path === `${POD}/log`) return { text: log };
    if (path === POD) return json({ status });
    return json({ metadata: { resourceVersion: '1' }, items: [] });
  });
  const world = { clock, random: () => 0.5 };
  const api = kubernetesApi(transport, world);
  const run = askFromPod(api, REQUEST, new AbortController().signal);
  const result = await clock.until(run, 60_000);
  const sent = transport.requests.map(({ method, path }) => `${method} ${path.split('?')[0]}`);
  return { result, sent, clock, transport };
}

test('what it found', async () => {
  const log = `a warning\n${JSON.stringify([['a', { kind: 'answered', status: 200 }]])}\n`;
  const { result, sent, transport } = await ask({ status: { phase: 'Succeeded' }, log });
  expect(result).toEqual({
    kind: 'ran',
    answers: new Map([['a', { kind: 'answered', status: 200 }]]),
  });
  expect(sent[0]).toBe('POST /api/v1/namespaces/default/pods');
  expect(sent.at(-1)).toBe(`DELETE ${POD}`);
  const [{ body }] = transport.requests as [TransportRequest];
  expect(body).toMatchObject({
    spec: { automountServiceAccountToken: false, activeDeadlineSeconds: 60 },
  });
});

test('one that may not be made', async () => {
  const { result, sent } = await ask({ made: json({ message: 'pods is forbidden' }, 403) });
  expect(result).toEqual({ kind: 'not-run', reason: 'pods is forbidden' });
  expect(sent).toEqual(['POST /api/v1/namespaces/default/pods']);
});

test.each([
  ['fails', { phase: 'Failed' }, 'the pod failed'],
  [
    'has no image',
    {
      phase: 'Pending',
      containerStatuses: [{ state: { waiting: { reason: 'ErrImagePull', message: 'not found' } } }],
    },
    'it did not finish within 18 s: ErrImagePull: not found',
  ],
  [
    'finds no node',
    {
      phase: 'Pending',
      conditions: [
        {
          type: 'PodScheduled',
          status: 'False',
          reason: 'Unschedulable',
          message: '0/1 nodes are available',
        },
      ],
    },
    'it did not finish within 18 s: Unschedulable: 0/1 nodes are available',
  ],
])('one that %s is removed', async (_, status, reason) => {
  const { result, sent, clock } = await ask({ status });
  expect(result).toEqual({ kind: 'not-run', reason });
  expect(sent.at(-1)).toBe(`DELETE ${POD}`);
  expect(clock.monotonic()).toBeLessThan(20_000);
});

test('its removal is tried again; where it stays, that is told', async () => {
  const status = { phase: 'Failed' };
  const again = await ask({ status, removed: [failure(), json({}, 503), json({})] });
  expect(again.result).toEqual({ kind: 'not-run', reason: 'the pod failed' });
  const gone = await ask({ status, removed: [failure(), json({}, 404)] });
  expect(gone.result).toEqual({ kind: 'not-run', reason: 'the pod failed' });
  const { result, sent } = await ask({ status, removed: [] });
  expect(result).toMatchObject({ left: 'probe' });
  expect(sent.filter((line) => line.startsWith('DELETE'))).toHaveLength(3);
  const forbidden = await ask({ status, removed: [json({}, 403)] });
  expect(forbidden.result).toMatchObject({ left: 'probe' });
});

test('what it says is not believed in any other form', async () => {
  await expect(
    ask({ status: { phase: 'Succeeded' }, log: '[["a", {"kind": "odd"}]]' }),
  ).rejects.toThrow('unexpected answer');
});

test('what it runs answers each question', async () => {
  const server = createServer((_, response) => {
    response.statusCode = 302;
    response.setHeader('location', 'https://elsewhere.invalid');
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { transport } = await ask({ status: { phase: 'Failed' } });
  const made = transport.requests[0]?.body as {
    spec: { containers: [{ command: string[] }] };
  };
  const [, ...args] = made.spec.containers[0].command;
  const host = '127.0.0.1';
  const questions = [
    { id: 'page', kind: 'http', url: `http://${host}:${port}/` },
    { id: 'port', kind: 'tcp', host, port },
    { id: 'nobody', kind: 'tcp', host, port: 1 },
    { id: 'nowhere', kind: 'http', url: `http://${host}:1/` },
  ];
  const env = { ...process.env, QUESTIONS: JSON.stringify(questions) };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  server.close();
  const found = Object.fromEntries(JSON.parse(stdout));
  expect(found).toMatchObject({
    page: { kind: 'answered', status: 302 },
    port: { kind: 'answered', status: 0 },
    nobody: { kind: 'silent', reason: expect.stringContaining('ECONNREFUSED') },
    nowhere: { kind: 'silent' },
  });
});
