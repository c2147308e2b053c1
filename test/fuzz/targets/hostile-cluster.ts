// A cluster whose answers somebody else has written, behind the real clients. Time passes as soon as anybody waits.
import { setMaxListeners } from 'node:events';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Target } from '../../../src/ports/target.ts';
import { connectOver } from '../../../src/targets/connect.ts';
import type { TransportAnswer, TransportRequest } from '../../../src/targets/transport.ts';
import { FakeTransport } from '../../fakes/transport.ts';

setMaxListeners(0);

const NOW = Date.parse('2026-11-18T08:00:00Z');

export function hastyClock(): Clock {
  let passed = 0;
  return {
    now: () => NOW + passed,
    monotonic: () => passed,
    sleep: async (ms) => {
      passed += Number.isFinite(ms) ? Math.max(0, ms) : 0;
      await turn();
    },
  };
}

/** Others have their turn, so that no two that wait for each other keep everything else from happening. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

export type Answers = (request: TransportRequest) => Partial<TransportAnswer>;

export const worldOf = (clock: Clock) => ({ clock, random: () => 0.5 });

const TOKEN = Buffer.from(
  `a.${Buffer.from('{"sub":"tiphys:apiKey"}').toString('base64url')}.b`,
).toString('base64');

const SERVICE = {
  metadata: { name: 'argocd-server' },
  spec: { ports: [{ name: 'https', port: 443 }] },
};

/** What a client asks before anything else. */
const FIRST: readonly (readonly [RegExp, unknown])[] = [
  [/\/services\?/, { metadata: { resourceVersion: '1' }, items: [SERVICE] }],
  [/\/api\/version$/, { Version: 'v3.2.0' }],
  [/\/secrets\/tiphys-argocd-token$/, { data: { token: TOKEN } }],
  [/\/session\/userinfo$/, { loggedIn: true, username: 'tiphys' }],
];

const json = (value: unknown): Partial<TransportAnswer> => ({ text: JSON.stringify(value) });

export interface HostileCluster {
  readonly target: Target;
  readonly clock: Clock;
  /** From now on it answers so. */
  readonly become: (answers: Answers) => void;
}

/** It is good while the client connects. */
export async function hostileCluster(): Promise<HostileCluster> {
  const clock = hastyClock();
  let answers: Answers = ({ path }) => {
    const first = FIRST.find(([pattern]) => pattern.test(path));
    return first ? json(first[1]) : { status: 404 };
  };
  const kubernetes = new FakeTransport((request) => {
    // It remembers all of them, and there are many.
    kubernetes.requests.length = 0;
    return answers(request);
  });
  const options = { namespace: 'argocd', clock, random: () => 0.5 };
  const target = await connectOver({ kubernetes, argocd: undefined }, options);
  const become = (next: Answers) => {
    answers = next;
  };
  return { target, clock, become };
}
