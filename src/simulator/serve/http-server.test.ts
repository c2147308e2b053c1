import { request } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import type { Transport, TransportRequest } from '../../targets/transport.ts';
import { type Served, serve } from './http-server.ts';

const received: TransportRequest[] = [];
const transport: Transport = {
  send: async (sent) => {
    received.push(sent);
    return { status: 200, text: '{}', retryAfter: undefined };
  },
  stream: () => Promise.reject(new Error('no watch here')),
};

let served: Served | undefined;
afterEach(() => {
  served?.close();
  received.length = 0;
});

interface Sent {
  readonly path?: string;
  readonly host?: string;
  readonly type?: string;
}

async function send({ path = '/version', host, type }: Sent): Promise<number | undefined> {
  served = await serve(transport, 0);
  const { port } = served;
  const headers = {
    host: host ?? `127.0.0.1:${port}`,
    ...(type === undefined ? {} : { 'content-type': type }),
  };
  return new Promise((resolve, reject) => {
    const method = type === undefined ? 'GET' : 'POST';
    const sent = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject);
    sent.end(type === undefined ? undefined : '{}');
  });
}

test('answers a client of this machine', async () => {
  expect(await send({})).toBe(200);
  expect(await send({ type: 'application/merge-patch+json' })).toBe(200);
  expect(received.map(({ method }) => method)).toEqual(['GET', 'POST']);
});

test.each([
  ['a name that leads here by DNS', { host: 'attacker.example' }, 403],
  ['another port', { host: '127.0.0.1:1' }, 403],
  ['text that a browser sends without asking', { type: 'text/plain' }, 415],
  ['a form', { type: 'application/x-www-form-urlencoded' }, 415],
  ['a path that cannot be decoded', { path: '/api/v1/namespaces/%E0%A4%A' }, 400],
])('refuses %s', async (_, sent, status) => {
  expect(await send(sent)).toBe(status);
  expect(received).toEqual([]);
});
