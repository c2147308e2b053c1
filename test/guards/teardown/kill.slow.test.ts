// A teardown that is killed at each of its writes, and run again: it finishes, and touches nothing that is not its own.
import { expect, test, vi } from 'vitest';
import type { Participant } from '../../../src/simulator/participant.ts';
import type { Transport } from '../../../src/targets/transport.ts';
import { API, DeployedShop } from './deployed-shop.ts';

vi.setConfig({ testTimeout: 120_000 });

/** Before it is sent; when it was carried out, but nobody has heard of it; when the answer is there. */
type Moment = 'before' | 'unanswered' | 'after';

const BYSTANDERS = [
  { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'theirs', namespace: 'platform' } },
  {
    ...{ apiVersion: API, kind: 'Application' },
    metadata: { name: 'theirs', namespace: 'argocd' },
    spec: {
      project: 'shop',
      source: { repoURL: 'https://git.example/platform.git', path: 'none', targetRevision: 'main' },
      destination: { server: 'https://kubernetes.default.svc', namespace: 'theirs' },
    },
  },
];

/** A connection of somebody who dies at one of the writes. */
function mortal(shop: DeployedShop, at: number, moment: Moment, died: () => void) {
  return (transport: Transport, participant: Participant): Transport => {
    let seen = 0;
    const die = () => {
      participant.kill();
      died();
      return new Promise<never>(() => {});
    };
    return {
      ...transport,
      send: async (request) => {
        const isIt = request.method !== 'GET' && !request.path.endsWith('reviews') && seen++ === at;
        if (!isIt) return await transport.send(request);
        if (moment === 'before') return await die();
        if (moment === 'unanswered') {
          shop.rehearsal.onRequest((carried) => {
            if (carried.request === request) void die();
          });
          return await transport.send(request);
        }
        await transport.send(request);
        return await die();
      },
    };
  };
}

test.each<Moment>(['before', 'unanswered', 'after'])(
  'killed at each write (%s) and run again, it finishes, and nothing else is touched',
  async (moment) => {
    let writes = 0;
    for (let killed = true; killed; writes++) {
      const shop = await DeployedShop.create();
      for (const object of BYSTANDERS) shop.rehearsal.objects.create(object);
      const approved = await shop.until(shop.look());
      const order = shop.deletions();
      killed = false;
      const attempt = new Promise<void>((ended) => {
        const way = mortal(shop, writes, moment, () => {
          killed = true;
          ended();
        });
        const run = shop.takeDown(approved, shop.connect('one', way));
        void run.then(
          () => ended(),
          () => ended(),
        );
      });
      await shop.until(attempt);
      const again = killed ? await shop.until(shop.takeDown(approved, 'two')) : undefined;
      expect([writes, again?.exitStatus ?? 0, shop.names()]).toEqual([writes, 0, ['theirs']]);
      expect(shop.inNamespace().sort()).toEqual(['PersistentVolumeClaim data', 'Secret theirs']);
      expect(order).not.toContain('theirs');
    }
    expect(writes).toBeGreaterThan(12);
  },
);
