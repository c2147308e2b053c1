// Whether each application of the reference platform was synced after what it depends on was Healthy: from Argo CD's own
// records, not from those of Tiphys.

import { expect } from 'vitest';
import type { Application } from './objects.ts';
import type { Reference } from './reference.ts';

/** A gate opens when health has lasted so long; Argo CD's times have whole seconds. */
const DWELL_MS = 10_000 - 1_000;

export async function expectDeployedInOrder(reference: Reference): Promise<void> {
  const applications = await reference.applications();
  const dependencies = await reference.dependencies();
  expect(applications.size).toBe(43 + 11 + 1);
  expect([...dependencies.keys(), 'platform-root'].sort()).toEqual([...applications.keys()].sort());
  for (const [name, { status }] of applications) {
    expect(status?.sync?.status, name).toBe('Synced');
    expect(status?.health?.status, name).toBe('Healthy');
  }
  const at = new Map([...applications].map(([name, one]) => [name, times(one)]));
  let edges = 0;
  for (const [name, before] of dependencies) {
    for (const dependency of before) {
      const gate = (at.get(dependency)?.healthy ?? Number.NaN) + DWELL_MS;
      expect(at.get(name)?.begin, `${name} after ${dependency}`).toBeGreaterThanOrEqual(gate);
      edges += 1;
    }
  }
  expect(edges).toBeGreaterThan(60);
}

/** When it was synced, and from when on it was Healthy and deployed. */
function times({ metadata, status }: Application) {
  const [first, ...more] = status?.history ?? [];
  expect(more, `${metadata?.name} was synced once`).toEqual([]);
  expect(first?.initiatedBy, metadata?.name).not.toHaveProperty('automated');
  const ends = [first?.deployedAt, status?.health?.lastTransitionTime].map((time) =>
    Date.parse(time ?? ''),
  );
  return { begin: Date.parse(first?.deployStartedAt ?? ''), healthy: Math.max(...ends) };
}
