// What the policy tiphys-records lets pods of a run change of a record. Kubernetes itself keeps the data of one that is immutable.
import { readFileSync } from 'node:fs';
import { loadAll } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { chunkOf } from '../../../src/session/record/chunk.ts';
import { type Policy, refusing } from './policies.ts';

const POLICIES = loadAll(readFileSync('workflows/rights.yaml', 'utf8')) as Policy[];
const RUN = { platform: 'shop', run: 'r1', plan: `sha256:${'0'.repeat(64)}` };
const HEAD = { number: 0, started: '2026-11-18T10:00:00.000Z', exitStatus: undefined, cut: false };

interface Stored {
  readonly metadata: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
  };
  readonly binaryData: Readonly<Record<string, string>>;
  readonly immutable?: boolean;
}

/** As the program writes it. */
function stored(bytes: readonly number[], part: Partial<typeof HEAD> | object = {}): Stored {
  const text = chunkOf(RUN, { ...HEAD, ...part }, Uint8Array.from(bytes));
  const encoded = [...text.data].map(([key, one]) => [key, Buffer.from(one).toString('base64')]);
  const { name, labels, annotations } = text;
  return {
    metadata: {
      name,
      labels: Object.fromEntries(labels),
      annotations: Object.fromEntries(annotations),
    },
    binaryData: Object.fromEntries(encoded),
  };
}

const OTHERS = ['tiphys-hold'];
const refused = (oldObject: object, object: object, account = 'tiphys-node') =>
  refusing(POLICIES, {
    ...{ user: `system:serviceaccount:argo:${account}`, operation: 'UPDATE' },
    ...{ resource: 'configmaps', object, oldObject },
  }).filter((name) => !OTHERS.includes(name));

const bytes = (length: number, from = 1) => Array.from({ length }, (_, at) => (at + from) % 256);

test.each([0, 1, 2, 3, 4, 5, 6, 100, 101, 102])('a record of %i bytes grows', (length) => {
  // What is added is never smaller than an empty file of gzip.
  for (const more of [0, 20, 21, 22, 50])
    expect(refused(stored(bytes(length)), stored(bytes(length + more)))).toEqual([]);
  const end = { exitStatus: 0, cut: true };
  expect(refused(stored(bytes(length)), stored(bytes(length + 20), end))).toEqual([]);
});

test.each([3, 4, 5, 100, 101, 102])('of a record of %i bytes nothing is changed', (length) => {
  const before = stored(bytes(length));
  const changed = (at: number) => bytes(length + 10).map((one, index) => (index === at ? 99 : one));
  for (const account of ['tiphys-run', 'tiphys-node', 'tiphys-teardown']) {
    for (const at of [0, 1, Math.floor(length / 2)].filter((one) => one < length - 2))
      expect(refused(before, stored(changed(at)), account)).toEqual(['tiphys-records']);
    expect(refused(before, stored(bytes(length - 1)), account)).toEqual(['tiphys-records']);
    expect(refused(before, stored([]), account)).toEqual(['tiphys-records']);
  }
  expect(refused(before, stored(changed(0)), 'other')).toEqual([]);
});

const BEFORE = stored(bytes(30));
const GROWN = stored(bytes(60));
const meta = (part: object) => ({ ...GROWN, metadata: { ...GROWN.metadata, ...part } });
const { labels, annotations } = GROWN.metadata;

test.each([
  ['no data', { metadata: GROWN.metadata }],
  ['other data beside', { ...GROWN, data: { x: 'y' } }],
  ['another file', { ...GROWN, binaryData: { ...GROWN.binaryData, x: 'AAAA' } }],
  ['another run', meta({ labels: { ...labels, 'tiphys.dev/run': 'r2' } })],
  ['no run', meta({ labels: {} })],
  ['another label', meta({ labels: { ...labels, 'tiphys.dev/approval': 'x' } })],
  ['an owner', meta({ ownerReferences: [{ kind: 'ConfigMap', name: 'x', uid: 'u' }] })],
  ['another plan', meta({ annotations: { ...annotations, 'tiphys.dev/plan': 'x' } })],
  ['another start', meta({ annotations: { ...annotations, 'tiphys.dev/started': 'x' } })],
  [
    'the mark of another process',
    meta({ annotations: { ...annotations, 'tiphys.dev/part': 'x' } }),
  ],
  ['another number', meta({ annotations: { ...annotations, 'tiphys.dev/chunk': '7' } })],
])('a record does not get %s', (_, object) => {
  expect(refused(BEFORE, object)).toEqual(['tiphys-records']);
});

describe('a record that is closed', () => {
  const closed = { ...stored(bytes(30), { exitStatus: 1 }), immutable: true };
  const ended = closed.metadata.annotations;
  const said = (part: object) => ({
    ...closed,
    metadata: { ...closed.metadata, annotations: { ...ended, ...part } },
  });

  test('is written again as it is, after a reply that was lost', () => {
    expect(refused(closed, closed)).toEqual([]);
  });

  test.each([
    ['another exit status', said({ 'tiphys.dev/exit-status': '0' })],
    ['another checksum', said({ 'tiphys.dev/sha256': 'x' })],
    ['events left out', said({ 'tiphys.dev/cut': 'true' })],
    ['no exit status', { ...closed, metadata: { ...closed.metadata, annotations } }],
  ])('does not get %s', (_, object) => {
    for (const account of ['tiphys-run', 'tiphys-teardown'])
      expect(refused(closed, object, account)).toEqual(['tiphys-records']);
  });
});

test('other ConfigMaps of a run are not records', () => {
  const text = { metadata: { name: 'tiphys-teardown-shop' }, binaryData: { x: 'AAAA' } };
  expect(refused(text, { ...text, binaryData: { x: 'BBBB' } })).toEqual([]);
});
