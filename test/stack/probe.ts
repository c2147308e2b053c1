// Whether something answers. A probe carries no credentials and believes no answer but a plain success, so it does not
// ask for a certificate that it could check.

import { get as httpGet } from 'node:http';
import { get as httpsGet } from 'node:https';
import { connect, type NetConnectOpts } from 'node:net';
import type { ConnectionOptions } from 'node:tls';

/** True if the URL answers with status 200 within two seconds. */
export function answers(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const get = url.startsWith('https:') ? httpsGet : httpGet;
    const options = { timeout: 2000, rejectUnauthorized: false, agent: false } as const;
    const request = get(url, options as ConnectionOptions, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
  });
}

/** What becomes of a connection: nothing at all may happen, as with an address that nobody has. */
function connection(address: NetConnectOpts): Promise<'made' | 'refused' | 'silent'> {
  return new Promise((resolve) => {
    const socket = connect({ ...address, timeout: 2000 });
    const end = (result: 'made' | 'refused' | 'silent') => {
      socket.destroy();
      resolve(result);
    };
    socket.on('connect', () => end('made'));
    socket.on('timeout', () => end('silent'));
    socket.on('error', () => end('refused'));
  });
}

/** True if something listens there. */
export const listens = async (address: NetConnectOpts) => (await connection(address)) === 'made';

/** True if it is known at once that nothing listens there. */
export const refuses = async (address: NetConnectOpts) => (await connection(address)) === 'refused';
