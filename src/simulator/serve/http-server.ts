// The simulated cluster on a port of this machine, for kubectl and other HTTP clients.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Transport, TransportRequest } from '../../targets/transport.ts';
import { checkRequest } from './check-request.ts';
import { asTable, wantsTable } from './kubectl-table.ts';

export interface Served {
  readonly port: number;
  readonly close: () => void;
}

/** Only this machine is let in. */
const LOOPBACK = '127.0.0.1';
/** A request that waits longer than this, in the time of the rehearsal, is told so. */
const DEADLINE_MS = 24 * 3600 * 1000;
const BODY_MAX = 8 * 1024 * 1024;

/** Resolves when it listens; port 0 takes a free one. Rejects as node:http does. */
export function serve(transport: Transport, port: number): Promise<Served> {
  const server = createServer((request, response) => {
    answer(transport, portOf(server), request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else refuse(response, 502, error instanceof Error ? error.message : String(error));
    });
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, LOOPBACK, () => {
      const close = () => {
        server.close();
        server.closeAllConnections();
      };
      resolve({ port: portOf(server), close });
    });
  });
}

const portOf = (server: Server): number => (server.address() as { port: number }).port;

async function answer(
  transport: Transport,
  port: number,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const refusal = checkRequest(incoming, port);
  if (refusal) return refuse(response, refusal.status, refusal.message);
  const body = await bodyOf(incoming);
  if (body === undefined) return refuse(response, 413, 'too large');
  let value: unknown;
  try {
    value = body === '' ? undefined : JSON.parse(body);
  } catch {
    // Of some kinds kubectl sends its own form.
    return refuse(response, 415, 'the simulated cluster reads JSON only');
  }
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const request: TransportRequest = {
    method: incoming.method as TransportRequest['method'],
    path: incoming.url ?? '/',
    headers: headersOf(incoming),
    body: value,
    deadline: DEADLINE_MS,
    signal: gone.signal,
  };
  const table = wantsTable(incoming.headers.accept);
  if (isWatch(request)) return await pipe(transport, request, response, table);
  const { status, text, retryAfter } = await transport.send(request);
  if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
  send(response, status, table ? asTable(text) : text);
}

async function pipe(
  transport: Transport,
  request: TransportRequest,
  response: ServerResponse,
  table: boolean,
): Promise<void> {
  const { status, lines } = await transport.stream(request);
  response.writeHead(status, { 'content-type': 'application/json' });
  response.flushHeaders();
  for await (const line of lines) response.write(`${table ? asTable(line) : line}\n`);
  response.end();
}

function isWatch({ method, path }: TransportRequest): boolean {
  return method === 'GET' && /[?&]watch=(?:true|1)(?:&|$)/.test(path);
}

function send(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(text);
}

function refuse(response: ServerResponse, code: number, message: string): void {
  const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, code };
  send(response, code, JSON.stringify(status));
}

/** Undefined: more than any client has a reason to send. */
async function bodyOf(incoming: IncomingMessage): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let [text, size] = ['', 0];
  for await (const chunk of incoming as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > BODY_MAX) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, String(value ?? '')]),
  );
}
