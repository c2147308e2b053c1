// Plans of files without the keys that the format got later: a new key must not change them by a byte.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { buildPlan } from '../../src/plan/build-plan.ts';
import { compile } from '../../src/plan/compile.ts';
import { ENVIRONMENT, FULL } from './full-platform.ts';
import { pinnedPlatform } from './pinned-platforms.ts';

const fileOf = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test.each([
  [
    'the reference platform',
    fileOf('examples/reference/platform.yaml'),
    'sha256:db191b2175da0f023c1aa90599ed31c3737f0d7caeb4ec62a41044b29b5880c0',
    'sha256:55fa8b0909e55c0df1f3026bafbc50138752d33e8f529fbf72205d739cb45939',
  ],
  [
    'the shop',
    fileOf('test/goldens/fixtures/shop.yaml'),
    'sha256:8a9e3adc5afa46b529f226bdc381265ab4d7a1414f36bdac86d185f368ad907d',
    'sha256:b1206e48d32637fbd4dda528085d65e1f8ed40e4dd4c8ac9d55b4a5532debc24',
  ],
  [
    'a file that uses all of the older format',
    JSON.stringify(FULL),
    'sha256:321e449f5333cfe572af94d221bedbb3b629904564ec03b59b990d5f15427f87',
    'sha256:37c5962aa44d7e91f69cd991a7f870872fd5ce12c8b873381338826a14da1b05',
  ],
])('the plans of %s keep their hashes', (_, text, deployment, teardown) => {
  const environment = { file: 'environment.yaml', text: JSON.stringify(ENVIRONMENT) };
  const compiled = compile({ file: 'platform.yaml', text }, environment);
  expect(buildPlan(compiled, { action: 'deploy' }).hash).toBe(deployment);
  expect(buildPlan(compiled, { action: 'teardown' }).hash).toBe(teardown);
});

test('so do those of 200 generated platforms', () => {
  const all = createHash('sha256');
  for (let seed = 1; seed <= 200; seed++) {
    const compiled = compile({ file: 'platform.yaml', text: pinnedPlatform(seed) });
    for (const action of ['deploy', 'teardown'] as const)
      all.update(buildPlan(compiled, { action }).hash);
  }
  expect(all.digest('hex')).toBe(
    '19be569463dee7d08d5c9215b183082fdce535bc5645fc9b76e3d11521c7e52a',
  );
});
