// On sockets of this machine: an address with a root path, and a proxy on the way to it.
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect as dial, createServer as listen } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import type { Clock } from '../ports/clock.ts';
import { serve } from '../simulator/serve/http-server.ts';
import { argocdVersion } from './argocd/find.ts';
import { type DirectAddress, directRoute, directTransport } from './argocd/route.ts';
import type { Transport } from './transport.ts';

const clock: Clock = {
  now: () => 0,
  monotonic: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined),
};
const ROOT = '/argocd';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const close of closing.splice(0)) await close();
});

/** An argocd-server that knows nothing but what is below its root path. */
async function behindRootPath(): Promise<number> {
  const answers: Transport = {
    send: async ({ path }) =>
      path === `${ROOT}/api/version`
        ? { status: 200, text: '{"Version":"v3.5.1"}', retryAfter: undefined }
        : { status: 404, text: '404 page not found', retryAfter: undefined },
    stream: () => Promise.reject(new Error('no watch here')),
  };
  const { port, close } = await serve(answers, 0);
  closing.push(close);
  return port;
}

async function opened(server: Server | ReturnType<typeof listen>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** Tunnels to wherever it is asked, and notes it. */
async function proxy() {
  const tunnels: (string | undefined)[] = [];
  const server = createServer((_, response) => response.writeHead(501).end());
  server.on('connect', ({ url = '' }, socket, head) => {
    tunnels.push(url);
    const [host = '', port] = url.split(':');
    const there = dial(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      there.write(head);
      there.pipe(socket).pipe(there);
    });
    there.on('error', () => socket.destroy());
    socket.on('error', () => there.destroy());
    closing.push(() => there.destroy());
  });
  return { address: `http://127.0.0.1:${await opened(server)}`, tunnels };
}

async function versionAt(address: Omit<DirectAddress, 'caFile'>): Promise<string> {
  const transport = await directTransport({ ...address, caFile: undefined }, clock);
  return await argocdVersion(directRoute(transport), { clock, random: () => 0.5 });
}

test.each([ROOT, `${ROOT}/`])(
  'an address with the path %s is one below a root path',
  async (path) => {
    const port = await behindRootPath();
    const insecure = true;
    expect(await versionAt({ server: `http://127.0.0.1:${port}${path}`, insecure })).toBe('v3.5.1');
    await expect(versionAt({ server: `http://127.0.0.1:${port}`, insecure })).rejects.toMatchObject(
      {
        diagnostics: [{ code: 'argocd-answer-invalid' }],
      },
    );
  },
);

test('through a proxy that is named, and through none that only the environment names', async () => {
  const port = await behindRootPath();
  const { address, tunnels } = await proxy();
  const server = `http://127.0.0.1:${port}${ROOT}`;
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'])
    vi.stubEnv(name, address);
  expect(await versionAt({ server, insecure: true })).toBe('v3.5.1');
  expect(tunnels).toEqual([]);
  expect(await versionAt({ server, insecure: true, proxy: address })).toBe('v3.5.1');
  expect(tunnels).toEqual([`127.0.0.1:${port}`]);
});

test('TLS goes through the tunnel, to the server and not to the proxy', async () => {
  const server = listen();
  const first = new Promise<Buffer>((resolve) => {
    server.on('connection', (socket) => {
      socket.on('error', () => undefined);
      socket.once('data', (data) => {
        resolve(data);
        socket.destroy();
      });
    });
  });
  const port = await opened(server);
  const { address, tunnels } = await proxy();
  const transport = await directTransport(
    { server: `https://127.0.0.1:${port}`, caFile: undefined, insecure: false, proxy: address },
    clock,
  );
  const asked = transport.send({ method: 'GET', path: '/api/version', deadline: 5_000 });
  await expect(asked).rejects.toThrow();
  // A handshake of TLS begins so.
  expect([...(await first).subarray(0, 2)]).toEqual([0x16, 0x03]);
  expect(tunnels[0]).toBe(`127.0.0.1:${port}`);
});
