// What would make Applications again is stopped before the first one goes, and where that cannot be, nothing goes.
import { expect, test } from 'vitest';
import type { RunEvent } from '../../../src/run/events.ts';
import { shopWithSet } from './application-set.ts';
import { DeployedShop } from './deployed-shop.ts';
import { inFlight } from './in-flight.ts';

function setDeletions({ rehearsal }: DeployedShop): string[] {
  const sent: string[] = [];
  rehearsal.onRequest(({ request }) => {
    const isOne = request.path.includes('/applicationsets/') && request.method === 'DELETE';
    if (isOne) sent.push(request.path);
  });
  return sent;
}

test('an ApplicationSet of the approved name that is another one is left alone', async () => {
  const shop = await shopWithSet();
  const approved = await shop.until(shop.look());
  const sent = [shop.deletions(), setDeletions(shop)];
  const makers = approved.makers.map((one) =>
    one.kind === 'ApplicationSet' ? { ...one, uid: 'another' } : one,
  );
  const ended = shop.takeDown(approved, 'one', { approved: { ...approved, makers } });
  await expect(shop.until(ended)).rejects.toThrow('it was recreated after the approval');
  expect([sent, shop.exists('ApplicationSet', 'sites')]).toEqual([[[], []], true]);
});

// What waits for the ApplicationSet is another wait than that before the Applications.
test.each([
  ['with an ApplicationSet', shopWithSet],
  ['without one', () => DeployedShop.create()],
])('a parent whose own operation does not end cannot be held: nothing goes, %s', async (_, of) => {
  const shop = await of();
  const approved = await shop.until(shop.look());
  const sent = [shop.deletions(), setDeletions(shop)];
  const listen = ({ type }: RunEvent) => {
    if (type === 'run.started') inFlight(shop, 'shop-root', { automated: true });
  };
  const isThere = shop.exists('ApplicationSet', 'sites');
  const ended = shop.until(shop.takeDown(approved, 'one', { listen }));
  await expect(ended).rejects.toThrow('Application "shop-root" cannot be put on hold');
  expect([sent, shop.exists('ApplicationSet', 'sites')]).toEqual([[[], []], isThere]);
});

test('one that is let out of the hold again while nodes begin holds back every deletion', async () => {
  const shop = await DeployedShop.create();
  const approved = await shop.until(shop.look());
  const sent = shop.deletions();
  let isBusy = false;
  const listen = ({ type }: RunEvent) => {
    if (type !== 'node.started' || isBusy) return;
    isBusy = true;
    inFlight(shop, 'shop-root', { automated: true });
  };
  const report = await shop.until(shop.takeDown(approved, 'one', { listen }));
  expect(sent).toEqual([]);
  const first = report.nodes.find(({ outcome }) => outcome === 'failed');
  expect(first?.cause?.message).toContain('Application "shop-root" cannot be put on hold');
});
