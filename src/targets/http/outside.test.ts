// Against servers of this machine.
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createListener } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import type { Clock } from '../../ports/clock.ts';
import { outside, type Proxies } from './outside.ts';

const clock: Clock = {
  now: () => 0,
  monotonic: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined),
};
const NO_PROXIES: Proxies = { http: undefined, https: undefined, no: undefined };

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

function look(proxies = NO_PROXIES, signal = new AbortController().signal) {
  const made = outside(proxies, clock, signal);
  closing.push(made.close);
  return made;
}

async function serve(server: Server | ReturnType<typeof createListener>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

test('the status is the answer, with the headers that were given; the rest is not waited for', async () => {
  const port = await serve(
    createServer((request, response) => {
      response.statusCode = request.headers.authorization === 'Basic x' ? 203 : 401;
      // It goes on for ever.
      response.write('a'.repeat(100_000));
    }),
  );
  const { request } = look();
  const url = `http://127.0.0.1:${port}/v2/`;
  expect(await request(url)).toEqual({ kind: 'answered', status: 401 });
  const authorization = 'Basic x';
  expect(await request(url, { authorization })).toEqual({ kind: 'answered', status: 203 });
});

test('through the proxy of the environment, but not to whom that is not meant for', async () => {
  const asked: string[] = [];
  const port = await serve(
    createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end();
    }),
  );
  // Undici tunnels by CONNECT, which this proxy refuses: what counts is that it was asked at all.
  const proxy = createServer();
  const tunnels: (string | undefined)[] = [];
  proxy.on('connect', (request, socket) => {
    tunnels.push(request.url);
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  const proxyPort = await serve(proxy);
  const http = `http://127.0.0.1:${proxyPort}`;
  const { request } = look({ http, https: http, no: '127.0.0.1' });
  expect(await request('https://charts.invalid/index.yaml')).toMatchObject({ kind: 'silent' });
  expect(tunnels).toEqual(['charts.invalid:443']);
  expect(await request(`http://127.0.0.1:${port}/a`)).toEqual({ kind: 'answered', status: 200 });
  expect(asked).toEqual(['/a']);
});

test('nobody listens', async () => {
  const listener = createListener();
  const port = await serve(listener);
  const { connect, request } = look();
  expect(await connect('127.0.0.1', port)).toEqual({ kind: 'answered', status: 0 });
  await new Promise((resolve) => listener.close(resolve));
  for (const answer of [connect('127.0.0.1', port), request(`http://127.0.0.1:${port}`)]) {
    expect(await answer).toMatchObject({ kind: 'silent', reason: /ECONNREFUSED/ });
  }
});

test('what nobody waits for any more ends at once', async () => {
  const port = await serve(createServer(() => undefined));
  const given = new AbortController();
  const { request } = look(NO_PROXIES, given.signal);
  const asked = request(`http://127.0.0.1:${port}`);
  given.abort();
  expect(await asked).toMatchObject({ kind: 'silent' });
});
