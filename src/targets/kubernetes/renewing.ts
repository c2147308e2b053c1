// Kubernetes did not accept the credentials: they are read anew, and the request is sent again. It was not carried
// out the first time.
import type { Clock } from '../../ports/clock.ts';
import { timer } from '../deadline.ts';
import type { Transport } from '../transport.ts';

const UNAUTHORIZED = 401;

export function renewing(transport: Transport, renew: () => void, clock: Clock): Transport {
  return {
    send: async (request) => {
      const left = timer(clock, request);
      const first = await transport.send(request);
      if (first.status !== UNAUTHORIZED || !isFromKubernetes(first.text)) return first;
      renew();
      return transport.send({ ...request, deadline: left() });
    },
    stream: async (request) => {
      const first = await transport.stream(request);
      if (first.status !== UNAUTHORIZED) return first;
      for await (const _ of first.lines);
      renew();
      return transport.stream(request);
    },
  };
}

/** Through its service proxy come answers of others too. */
export function isFromKubernetes(text: string): boolean {
  return /"kind":\s*"Status"/.test(text);
}
