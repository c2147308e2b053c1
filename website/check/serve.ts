// The built site on this machine only, as a plain file server gives it.
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

/** Pages and what they load, by path. */
export type Site = ReadonlyMap<string, Uint8Array>;

export function readSite(folder: string): Site {
  if (!existsSync(folder)) throw new Error(`there is no ${folder}: run \`npm run docs:build\``);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return new Map(
    files
      .filter((file) => file.isFile())
      .map((file) => join(file.parentPath, file.name))
      .map((path) => [`/${path.slice(folder.length + 1)}`, readFileSync(path)] as const),
  );
}

/** A folder is its index. */
export const fileOf = (path: string): string =>
  decodeURIComponent(path.endsWith('/') ? `${path}index.html` : path);

export async function serve(site: Site) {
  const server = createServer((request, response) => {
    const path = fileOf(new URL(request.url ?? '/', 'http://site').pathname);
    const body = site.get(path);
    response.writeHead(body ? 200 : 404, { 'content-type': TYPES[extname(path)] ?? 'text/plain' });
    response.end(body ?? 'not found');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}`, close: () => server.close() };
}
