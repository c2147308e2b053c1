import { expect, test } from 'vitest';
import { FakeStore } from '../../../test/fakes/cluster.ts';
import { foundApplication, inventoryOf } from '../../../test/fakes/inventory.ts';
import { parseInventory } from '../../inventory/parse-inventory.ts';
import { hashOf } from '../../plan/canonical.ts';
import type { StoredText } from '../../ports/record-store.ts';
import { approvedBy, isUnderWay } from './approved-inventory.ts';
import { forgetApproval, keepApproval, storedApproval } from './stored-inventory.ts';

const FULL = inventoryOf();
const LESS = inventoryOf({ applications: [foundApplication('a')], gone: ['app:b'] });
const MORE = inventoryOf({ applications: [foundApplication('a'), foundApplication('c')] });
const hashOnly = { hash: FULL.hash, inventory: undefined };

const keeping = (store: FakeStore, mayWrite = true) => ({
  identity: { id: 'r1', platform: 'shop', plan: '' },
  keepText: (text: StoredText) => store.api.put(text, () => mayWrite),
  forgetText: async (name: string) => void (await store.api.remove(name)),
});

async function stored() {
  const store = new FakeStore(() => 0);
  await keepApproval(keeping(store), FULL);
  return store;
}
const message = (task: Promise<unknown>) =>
  task.then(
    () => 'approved',
    (error: Error) => error.message,
  );

test('what is as it was approved is approved, unless something is in the way', async () => {
  const store = new FakeStore(() => 0);
  expect(await approvedBy(hashOnly, FULL, store.api)).toBe(FULL);
  const refusal = { code: 'volume-deleted', node: null, message: 'no', hint: 'h' } as const;
  const refused = inventoryOf({ refusals: [refusal] });
  const expected = { hash: refused.hash, inventory: undefined };
  await expect(approvedBy(expected, refused, store.api)).rejects.toMatchObject({
    diagnostics: [{ code: 'teardown-refused', message: 'no' }],
  });
});

test('less than was approved is approved only where its teardown is under way', async () => {
  const store = await stored();
  expect(await approvedBy(hashOnly, LESS, store.api)).toEqual(FULL);
  expect(await message(approvedBy(hashOnly, LESS, new FakeStore(() => 0).api))).toContain(
    'changed since the approval; pass a file to --expect to see what changed.',
  );
  const known = { ...hashOnly, inventory: FULL };
  const told = await message(approvedBy(known, LESS, new FakeStore(() => 0).api));
  expect(told).toContain('The cluster has changed since the approval:');
  expect(told).toContain('Application b is gone');
});

test('the hash of the plan is called that', async () => {
  const expected = { hash: FULL.plan, inventory: undefined };
  const store = new FakeStore(() => 0);
  expect(await message(approvedBy(expected, FULL, store.api))).toContain('that of the plan, not');
});

test('more than was approved never is', async () => {
  const store = await stored();
  expect(await message(approvedBy(hashOnly, MORE, store.api))).toContain('Application c is new');
});

test('an approval that is gone, damaged or of another hash is none', async () => {
  const store = await stored();
  expect(await isUnderWay(hashOnly, FULL, store.api)).toBe(true);
  expect(await isUnderWay({ ...hashOnly, hash: LESS.hash }, FULL, store.api)).toBe(false);
  expect(await isUnderWay(undefined, FULL, store.api)).toBe(false);
  const [[name, text] = []] = [...store.texts];
  if (!name || !text) throw new Error('nothing is stored');
  const [[file] = []] = [...text.data];
  store.texts.set(name, { ...text, data: new Map([[file ?? '', new Uint8Array([1, 2, 3])]]) });
  expect(await storedApproval(store.api, 'shop')).toBeUndefined();
  await forgetApproval(keeping(store));
  expect(store.texts.size).toBe(0);
});

test('it is found by its name among what is kept of its platform', async () => {
  const store = await stored();
  const [text] = [...store.texts.values()];
  expect([...(text?.labels ?? [])]).toEqual([
    ['tiphys.dev/platform', 'shop'],
    ['tiphys.dev/approval', 'teardown'],
  ]);
  expect(text?.annotations.get('tiphys.dev/inventory')).toBe(FULL.hash);
  if (!text) throw new Error('nothing is stored');
  store.texts.clear();
  for (const one of [{ ...text, name: 'other', data: new Map() }, text])
    store.texts.set(one.name, one);
  expect(await storedApproval(store.api, 'shop')).toEqual(FULL);
  expect(await storedApproval(store.api, 'other')).toBeUndefined();
});

test('an approval that cannot be kept is an error before anything goes', async () => {
  const store = new FakeStore(() => 0);
  const lost = { kind: 'unknown', message: 'no answer' } as const;
  store.refusals.push(lost, lost);
  await keepApproval(keeping(store), FULL);
  expect(await storedApproval(store.api, 'shop')).toEqual(FULL);
  store.refusals.push(lost, lost, lost);
  await expect(keepApproval(keeping(store), FULL)).rejects.toMatchObject({
    diagnostics: [{ code: 'cluster-unreachable' }],
  });
  await expect(keepApproval(keeping(store, false), FULL)).rejects.toMatchObject({
    diagnostics: [{ code: 'cluster-forbidden' }],
  });
});

test('an inventory is known again, alone or in its plan, unless it was changed', () => {
  expect(parseInventory(JSON.stringify(FULL))).toEqual(FULL);
  expect(parseInventory(JSON.stringify({ kind: 'Plan', inventory: FULL }))).toEqual(FULL);
  const changed = { ...FULL, applications: LESS.applications };
  const others = [JSON.stringify(changed), '{}', 'null', '[]', '7', 'apiVersion: x', ''];
  for (const text of others) expect(parseInventory(text)).toBeUndefined();
});

test.each([
  ['applications that are no list', { applications: 'a' }],
  ['an application without its objects', { applications: [{ name: 'a', destination: null }] }],
  ['a refusal that nobody knows', { refusals: [{ code: 'x', node: null, message: '', hint: '' }] }],
  ['namespaces that are none', { namespaces: [null] }],
])('with its right hash, but not its form: %s', (_, part) => {
  const { hash: _hash, operations, ...body } = { ...FULL, ...part };
  const text = JSON.stringify({ ...body, operations, hash: hashOf(body) });
  expect(parseInventory(text)).toBeUndefined();
});

test('one that is nested without end is none', () => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  expect(parseInventory(`{"kind": "Inventory", "applications": ${deep}}`)).toBeUndefined();
});
