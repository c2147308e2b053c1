// A process that dies at one of its writes: before it is sent, after it was carried out and nobody heard of it, or after the answer.
import type { Interceptor, Life } from './life.ts';

export const VARIANTS = ['before it is sent', 'with the answer lost', 'after the answer'] as const;
export type Variant = (typeof VARIANTS)[number];

/** `write`: which one, from 1 on. */
export function crashAt(write: number, variant: Variant): (life: () => Life) => Interceptor {
  return (life) => {
    let count = 0;
    let isDying = false;
    return (request, send) => {
      if (isDying) return undefined;
      if (request.method === 'GET' || ++count !== write) return send(request);
      if (variant === 'before it is sent') {
        life().kill();
        return undefined;
      }
      const answer = send(request);
      if (variant === 'with the answer lost') {
        life().kill();
        return answer;
      }
      return answer.then((heard) => {
        // It thinks about the answer, and sends nothing any more.
        isDying = true;
        life().killSoon();
        return heard;
      });
    };
  };
}

/** Counts the writes, and does nothing. */
export function counting(written: string[]): (life: () => Life) => Interceptor {
  return () => (request, send) => {
    if (request.method !== 'GET') written.push(`${request.method} ${request.path}`);
    return send(request);
  };
}
