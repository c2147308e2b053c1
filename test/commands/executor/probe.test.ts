// `executor probe`, as the pod of a probe runs it: one address is asked once, by servers of this machine.
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createListener, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { execute } from './executor.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function serve(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const answering = (status: number, headers: Record<string, string> = {}) =>
  serve(createServer((_, response) => response.writeHead(status, headers).end('a secret')));

const LOG = '/dev/termination-log';

async function probe(question: object | string) {
  const PROBE = typeof question === 'string' ? question : JSON.stringify(question);
  const io = { exists: (path: string) => path === LOG };
  const { status, stdout, stderr, written } = await execute(['probe'], {
    environment: { PROBE, HTTP_PROXY: 'http://proxy.invalid' },
    io,
  });
  expect([stdout.trimEnd(), stderr]).toEqual([written.get(LOG), '']);
  return [status, written.get(LOG)];
}

test.each([
  [200, undefined, 0, 'HTTP 200'],
  [399, undefined, 0, 'HTTP 399'],
  [400, undefined, 1, 'HTTP 400, not 200 to 399'],
  [503, undefined, 1, 'HTTP 503, not 200 to 399'],
  [503, 503, 0, 'HTTP 503'],
  [200, 204, 1, 'HTTP 200, not 204'],
])('status %i, where %s is wanted', async (given, status, exit, message) => {
  const http = `http://${await answering(given)}/healthz`;
  expect(await probe({ http, status, timeout: 5 })).toEqual([exit, message]);
});

test('a redirect is an answer, and is not followed', async () => {
  const http = `http://${await answering(302, { location: 'http://elsewhere.invalid/' })}`;
  expect(await probe({ http, timeout: 5 })).toEqual([0, 'HTTP 302']);
});

test('a port that is open, and one that is closed', async () => {
  const listener = createListener();
  const tcp = await serve(listener);
  expect(await probe({ tcp, timeout: 5 })).toEqual([0, 'connected']);
  await new Promise((resolve) => listener.close(resolve));
  const [status, message] = await probe({ tcp, timeout: 5 });
  expect([status, message]).toEqual([1, expect.stringMatching(/^no answer: .*ECONNREFUSED/)]);
});

test('who does not answer has its time, and no more', async () => {
  const silent = createListener(() => {});
  const http = `http://${await serve(silent)}/`;
  closing.unshift(() => silent.close());
  expect(await probe({ http, timeout: 0.2 })).toEqual([1, 'no answer: none within 0.2 s']);
});

test.each(['', '{', '{"http": 1}', '{"http": "http://a"}', '{"tcp": "a:1", "timeout": 0}'])(
  'what is no question fails: %s',
  async (question) => {
    expect(await probe(question)).toEqual([1, 'PROBE is not set or not valid']);
  },
);
