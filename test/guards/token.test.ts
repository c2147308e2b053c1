// Where the token for Argo CD goes.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compile } from '../../src/plan/compile.ts';
import { Rehearsal } from '../../src/rehearsal/rehearsal.ts';
import { populate } from '../../src/rehearsal/scenario.ts';
import { connectOver } from '../../src/targets/connect.ts';

const FILE = 'test/goldens/fixtures/shop.yaml';

test('a Service that only has the label of argocd-server never gets it', async () => {
  const settle = () => new Promise<void>((done) => setImmediate(done));
  const start = Date.UTC(2026, 0, 1);
  const parts = { seed: 1, faults: [], start, namespace: 'argocd', pace: { settle } };
  const rehearsal = new Rehearsal(parts);
  populate(rehearsal, compile({ file: FILE, text: readFileSync(FILE, 'utf8') }).platform);
  const labels = { 'app.kubernetes.io/name': 'argocd-server' };
  rehearsal.objects.create({
    ...{ apiVersion: 'v1', kind: 'Service' },
    metadata: { name: 'aaa-evil', namespace: 'argocd', labels },
    spec: { ports: [{ name: 'https', port: 443 }] },
  });
  const asked: string[] = [];
  rehearsal.onRequest(({ request }) => {
    const [, service] = /\/services\/([^/]+)\/proxy/.exec(request.path) ?? [];
    if (service) asked.push(service);
  });
  const { clock, transport, random } = rehearsal.join('tiphys');
  const options = { namespace: 'argocd', argocdTokenFile: undefined, clock, random };
  await rehearsal.time.until(connectOver({ kubernetes: transport, argocd: undefined }, options));
  expect([...new Set(asked)]).toEqual(['http:argocd-server:80']);
});
