// An Application goes only when all that depend on it are gone, also those behind a stack, and also if one came back.
import { expect, test } from 'vitest';
import type { Report } from '../../../src/report/run-report.ts';
import type { RunEvent } from '../../../src/run/events.ts';
import { tornByWorkflow } from '../workflows/teardown-by-workflow.ts';
import { API, DeployedShop } from './deployed-shop.ts';

type Engine = (
  shop: DeployedShop,
  listen: (event: RunEvent) => void,
) => Promise<Pick<Report, 'exitStatus' | 'nodes'>>;

const ENGINES: readonly (readonly [string, Engine])[] = [
  ['embedded', (shop, listen) => shop.down({ listen })],
  ['argo-workflows', async (shop, listen) => await tornByWorkflow(shop, await shop.look(), listen)],
];

test.each(ENGINES)('%s: what came back keeps what its stack depends on', async (_, takeDown) => {
  const shop = await DeployedShop.synced();
  const { objects } = shop.rehearsal;
  const site = objects.get(API, 'Application', 'argocd', 'site');
  const order = shop.deletions();
  // By now nothing but the stack that it depends on is left to go.
  const listen = (event: RunEvent) => {
    if (event.type !== 'node.finished' || event.node !== 'open:stack:data' || !site) return;
    objects.create({ ...site, metadata: { name: 'site', namespace: 'argocd' } });
  };
  const report = await shop.until(takeDown(shop, listen));
  const cause = report.nodes.find(({ id }) => id === 'app:ingress')?.cause?.message;
  expect([report.exitStatus, cause]).toEqual([2, 'site depends on it and still exists']);
  expect(order).not.toContain('ingress');
  expect(order).not.toContain('dns');
});
