import { expect, test } from 'vitest';
import { seeded } from '../random.ts';
import { History } from './object-history.ts';
import { Objects } from './object-store.ts';
import { Rest } from './rest.ts';

test.each([
  ['a', ['other', 'same']],
  ['a=1', ['same']],
  ['a==1,b=2', ['same']],
  ['b', ['same']],
  ['c', []],
])('the label selector %s', (labelSelector, names) => {
  const objects = new Objects(seeded(1), () => 0);
  const make = (name: string, labels: Record<string, string>) =>
    objects.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
  make('none', {});
  make('other', { a: '2' });
  make('same', { a: '1', b: '2' });
  const history = new History(objects, () => 0);
  const query = new URLSearchParams({ labelSelector });
  const rest = new Rest(objects, history, objects);
  const { text } = rest.handle({
    method: 'GET',
    path: '/api/v1/namespaces',
    query,
    body: undefined,
  });
  const { items } = JSON.parse(text) as { items: { metadata: { name: string } }[] };
  expect(items.map(({ metadata }) => metadata.name)).toEqual(names);
});
