// The reference platform: no kind of it whose health nothing looks at.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readChecks, readManifests } from '../../../src/cli/health/health-files.ts';
import { coverageOf } from '../../../src/health/coverage.ts';
import { kindsOfManifests } from '../../../src/health/manifests.ts';
import { entriesOf } from '../../../src/health/render.ts';
import { parsePlatform } from '../../../src/model/platform.ts';
import { processIo } from '../../../src/process.ts';

const file = 'examples/reference/platform.yaml';
const platform = parsePlatform({ file, text: readFileSync(file, 'utf8') });
const found = kindsOfManifests(readManifests(processIo, 'examples/reference'));
const checks = readChecks(processIo, 'health');

async function uncovered(accepted = platform.acceptedKinds, known = checks): Promise<string[]> {
  const settings = await entriesOf(known, processIo.lua);
  const common = { platform: platform.name, uses: found.uses, custom: found.custom };
  const { kinds } = coverageOf({ ...common, settings, checks: known, accepted });
  return kinds.flatMap(({ kind, state }) => (state === 'uncovered' ? [kind] : []));
}

test('every manifest is looked at', () => {
  expect(found.unread).toEqual([]);
  expect(found.uses.length).toBeGreaterThan(25);
});

test('no kind is uncovered', async () => expect(await uncovered()).toEqual([]));

test('each accepted kind is one that would be uncovered', async () => {
  expect(await uncovered([])).toEqual(platform.acceptedKinds.map(({ kind }) => kind).sort());
});

test('without our checks there would be many', async () => {
  expect(await uncovered(platform.acceptedKinds, [])).toEqual(
    expect.arrayContaining(['argoproj.io/Application', 'ceph.rook.io/CephCluster']),
  );
});
