// Connections for one set of certificates. A new set gets new connections; the old ones end with what they carry.
import { Agent, type Dispatcher, ProxyAgent } from 'undici';

export interface Tls {
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly serverName?: string | undefined;
  readonly insecure: boolean;
}

const CONNECT_TIMEOUT = 10_000;

export function dispatchers(): (tls: Tls, proxy: string | undefined) => Dispatcher {
  let current: { readonly key: string; readonly dispatcher: Dispatcher } | undefined;
  return (tls, proxy) => {
    const key = JSON.stringify([tls, proxy]);
    if (current?.key === key) return current.dispatcher;
    // What still runs on the old connections ends later; nothing waits for it.
    void current?.dispatcher.close().catch(() => undefined);
    current = { key, dispatcher: dispatcherOf(tls, proxy) };
    return current.dispatcher;
  };
}

function dispatcherOf(tls: Tls, proxy: string | undefined): Dispatcher {
  const options = {
    timeout: CONNECT_TIMEOUT,
    // Said in both cases, or NODE_TLS_REJECT_UNAUTHORIZED would decide.
    rejectUnauthorized: !tls.insecure,
    ...(tls.ca !== undefined && { ca: tls.ca }),
    ...(tls.cert !== undefined && { cert: tls.cert }),
    ...(tls.key !== undefined && { key: tls.key }),
    ...(tls.serverName !== undefined && { servername: tls.serverName }),
  };
  if (proxy !== undefined) {
    const proxyTls = { timeout: CONNECT_TIMEOUT, rejectUnauthorized: true };
    return new ProxyAgent({ uri: proxy, proxyTls, requestTls: options });
  }
  return new Agent({ connect: options });
}
