// Against a server on this machine.
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import type { Clock } from '../../ports/clock.ts';
import type { TransportRequest } from '../transport.ts';
import { LIMITS } from './answer-limits.ts';
import { failureOf } from './failure.ts';
import { httpTransport } from './http-transport.ts';

const clock: Clock = {
  now: () => 0,
  monotonic: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined),
};

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function serve(listener: RequestListener, base = '', limits = LIMITS, time = clock) {
  server = createServer(listener);
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const access = {
    server: `http://127.0.0.1:${port}${base}`,
    headers: { authorization: 'Bearer x' },
    tls: { insecure: false },
    proxy: undefined,
  };
  return httpTransport(async () => access, time, limits);
}

const get = (more: Partial<TransportRequest> = {}): TransportRequest => ({
  method: 'GET',
  path: '/a?b=c',
  deadline: 5000,
  ...more,
});

test('sends what it is given, below the path of the server, on connections that stay', async () => {
  const ports = new Set<number | undefined>();
  const transport = await serve((request, response) => {
    ports.add(request.socket.remotePort);
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const { method, url, headers } = request;
      response.setHeader('retry-after', '3');
      response.statusCode = 429;
      response.end(JSON.stringify({ method, url, headers, body }));
    });
  }, '/base');
  const put = get({ method: 'PUT', body: { a: 'ü' }, headers: { cookie: 'c=d' } });
  const answer = await transport.send(put);
  expect(answer).toMatchObject({ status: 429, retryAfter: '3' });
  expect(JSON.parse(answer.text)).toMatchObject({
    method: 'PUT',
    url: '/base/a?b=c',
    headers: { authorization: 'Bearer x', cookie: 'c=d', 'content-type': 'application/json' },
    body: '{"a":"ü"}',
  });
  const removal = JSON.parse((await transport.send(get({ method: 'DELETE' }))).text);
  expect(removal.headers['content-type']).toBe('application/json');
  const read = JSON.parse((await transport.send(get())).text);
  expect(read.headers['content-type']).toBeUndefined();
  for (let more = 0; more < 5; more++) await transport.send(get());
  expect(ports.size).toBeLessThanOrEqual(2);
});

test('fails when the answer does not come in time, whole', async () => {
  const transport = await serve((_, response) => {
    response.write('half');
  });
  const waiting = transport.send(get({ deadline: 50 }));
  await expect(waiting).rejects.toMatchObject({
    kind: 'deadline',
    message: 'no answer within 0.05 s',
  });
});

test('fails when the connection is cut', async () => {
  const transport = await serve((request) => request.socket.destroy());
  await expect(transport.send(get())).rejects.toMatchObject({ kind: 'unreachable' });
});

test('fails when nobody is there', async () => {
  const access = {
    server: 'http://127.0.0.1:1',
    headers: {},
    tls: { insecure: false },
    proxy: undefined,
  };
  const transport = httpTransport(async () => access, clock);
  await expect(transport.send(get())).rejects.toMatchObject({
    kind: 'unreachable',
    message: expect.stringContaining('ECONNREFUSED'),
  });
});

test('is given up when the caller wants', async () => {
  const transport = await serve(() => undefined);
  const stop = new AbortController();
  const waiting = transport.send(get({ signal: stop.signal }));
  stop.abort();
  await expect(waiting).rejects.toMatchObject({ kind: 'cancelled' });
});

test('a stream gives lines, however they come, until its signal is given', async () => {
  const time = new VirtualClock();
  const send: RequestListener = async (_, response) => {
    for (const part of ['{"a"', ':1}\n\n{"b":', '"ü"}\n']) {
      response.write(part);
      await sleep(5);
    }
  };
  const transport = await serve(send, '', LIMITS, time);
  const stop = new AbortController();
  const deadline = 1_000;
  const { status, lines } = await transport.stream(get({ signal: stop.signal, deadline }));
  const seen: string[] = [];
  const reading = (async () => {
    for await (const line of lines) {
      seen.push(line);
      // The deadline is for the beginning only.
      if (seen.length === 2) await time.advance(2 * deadline).then(() => stop.abort());
    }
  })();
  await expect(reading).rejects.toMatchObject({ kind: 'cancelled' });
  expect(status).toBe(200);
  expect(seen).toEqual(['{"a":1}', '{"b":"ü"}']);
});

test('a stream that the server ends, ends', async () => {
  const transport = await serve((_, response) => response.end('a\nb'));
  const { lines } = await transport.stream(get());
  const seen: string[] = [];
  for await (const line of lines) seen.push(line);
  expect(seen).toEqual(['a', 'b']);
});

test.each([
  ['SELF_SIGNED_CERT_IN_CHAIN', 'tls'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls'],
  ['CERT_HAS_EXPIRED', 'tls'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'tls'],
  ['EPROTO', 'tls'],
  ['ECONNRESET', 'unreachable'],
  ['ENOTFOUND', 'unreachable'],
  ['UND_ERR_CONNECT_TIMEOUT', 'unreachable'],
])('%s is of the kind %s', (code, kind) => {
  expect(failureOf(Object.assign(new Error('x'), { code })).kind).toBe(kind);
});

/** Far above every limit below: whoever takes as much has none. */
const SENT_MAX = 2 ** 26;

/** Until the other side has enough. */
function endless(line: string): RequestListener {
  return (_, response) => {
    let left = SENT_MAX;
    const send = () => {
      while (!response.destroyed && left > 0) {
        left -= line.length;
        if (!response.write(line)) return;
      }
      response.end();
    };
    response.on('drain', send);
    send();
  };
}

test('an answer without end is given up, and its connection closed', async () => {
  const limits = { answer: 2 ** 20, line: 1 };
  const transport = await serve(endless('x'.repeat(1000)), '', limits);
  await expect(transport.send(get())).rejects.toMatchObject({
    ...{ kind: 'oversized', message: 'the answer is larger than 1 MiB' },
  });
  const exact = await serve((_, response) => response.end('y'.repeat(2 ** 20)), '', limits);
  expect((await exact.send(get())).text).toHaveLength(2 ** 20);
});

test('a line without end is given up, and many lines are not', async () => {
  const limits = { answer: 1, line: 2 ** 20 };
  const read = async (line: string) => {
    const transport = await serve(endless(line), '', limits);
    let seen = 0;
    for await (const one of (await transport.stream(get())).lines) {
      seen += one.length;
      if (seen > 2 ** 22) break;
    }
    return seen;
  };
  expect(await read(`${'x'.repeat(1000)}\n`)).toBeGreaterThan(2 ** 22);
  await expect(read('x'.repeat(1000))).rejects.toMatchObject({ kind: 'oversized' });
});

test('a token that a server quotes is in no answer and in no line of a stream', async () => {
  const transport = await serve((request, response) => {
    response.statusCode = 500;
    response.end(`bad: ${request.headers.authorization} ${request.headers.cookie}\nand again`);
  });
  const asked = get({
    headers: { authorization: 'Bearer 0123456789abcdef', cookie: 'argocd.token=fedcba9876543210' },
  });
  expect(await transport.send(asked)).toMatchObject({
    text: 'bad: Bearer *** argocd.token=***\nand again',
  });
  const lines: string[] = [];
  for await (const line of (await transport.stream(asked)).lines) lines.push(line);
  expect(lines).toEqual(['bad: Bearer *** argocd.token=***', 'and again']);
});

test('a header with several values is sent as several', async () => {
  const transport = await serve((request, response) => {
    response.end(JSON.stringify(request.headersDistinct['impersonate-group']));
  });
  const { text } = await transport.send(
    get({ headers: { 'impersonate-group': ['a', 'b'] as never } }),
  );
  expect(JSON.parse(text)).toEqual(['a', 'b']);
});
