// What the server refuses before the simulated cluster sees it: requests that a web page in a browser could make it answer, and paths that no server can read.
import type { IncomingMessage } from 'node:http';

export interface Refusal {
  readonly status: number;
  readonly message: string;
}

export function checkRequest(
  { headers, url = '/' }: Pick<IncomingMessage, 'headers' | 'url'>,
  port: number,
): Refusal | undefined {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  // A name that an attacker's DNS points here has another host: the browser then takes us for the attacker's site.
  if (!hosts.includes(headers.host ?? ''))
    return { status: 403, message: `the Host header must be ${hosts.join(' or ')}` };
  // Browsers send plain text to other sites without asking first; JSON they do not.
  const type = headers['content-type'];
  if (type !== undefined && !/^application\/[\w.+-]*json\b/.test(type))
    return { status: 415, message: 'the simulated cluster reads JSON only' };
  try {
    decodeURIComponent(url);
  } catch {
    return { status: 400, message: 'the path has a "%" that is not followed by two digits' };
  }
  return undefined;
}
