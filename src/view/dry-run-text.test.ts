import { expect, test } from 'vitest';
import { API_VERSION } from '../model/api-version.ts';
import type { DryRun } from '../report/dry-run-report.ts';
import { renderDryRun } from './dry-run-text.ts';

const dryRun = (holds: readonly string[]): DryRun => ({
  ...{ apiVersion: API_VERSION, kind: 'DryRun', platform: 'shop', plan: 'sha256:0', holds },
  nodes: [{ id: 'app:db', would: 'sync', reason: 'OutOfSync, Missing', age: 12 }],
  unexpected: [],
});

test('AppProjects that a run holds may already be on hold', () => {
  expect(renderDryRun(dryRun(['shop']))).toBe(`\
NAME  ACTION  REASON              SEEN
db    sync    OutOfSync, Missing  12s ago

AppProjects that would be on hold during the run: shop
Nothing was changed. Argo CD was not asked to refresh, so it may not know the latest commit.
`);
  expect(renderDryRun(dryRun([]))).not.toContain('AppProjects');
});
