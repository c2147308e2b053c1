// What would make Applications again is stopped before the first one goes, and where that cannot be, nothing goes.
import { expect, test } from 'vitest';
import type { RunEvent } from '../../../src/run/events.ts';
import { shopWithSet } from './application-set.ts';
import type { DeployedShop } from './deployed-shop.ts';
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

test('a parent whose own operation does not end cannot be held: nothing goes', async () => {
  const shop = await shopWithSet();
  const approved = await shop.until(shop.look());
  const sent = [shop.deletions(), setDeletions(shop)];
  const listen = ({ type }: RunEvent) => {
    if (type === 'run.started') inFlight(shop, 'shop-root', { automated: true });
  };
  const ended = shop.until(shop.takeDown(approved, 'one', { listen }));
  await expect(ended).rejects.toThrow('Application "shop-root" cannot be put on hold');
  expect([sent, shop.exists('ApplicationSet', 'sites')]).toEqual([[[], []], true]);
});
