// Answers that no good server gives: each is refused by name, and none is an error of the program.
import { expect, test } from 'vitest';
import { FakeTransport, json, type Reply } from '../../test/fakes/transport.ts';
import { VirtualClock } from '../../test/fakes/virtual-clock.ts';
import { argocdApi } from './argocd/api.ts';
import { argocdApplications } from './argocd/applications.ts';
import { directRoute } from './argocd/route.ts';
import { tokenSource } from './argocd/token.ts';
import { kubernetesApi } from './kubernetes/api.ts';
import { listAll } from './kubernetes/list.ts';
import { kubernetesWorkflows } from './kubernetes/workflows.ts';

const world = { clock: new VirtualClock(), random: () => 0.5 };
const kubernetes = (...replies: Reply[]) => kubernetesApi(new FakeTransport(replies), world);
const ADDRESS = { name: 'api', namespace: 'argocd', project: 'default' };

function argocd(answer: (path: string) => Reply) {
  const transport = new FakeTransport(({ path }) => answer(path));
  const tokens = tokenSource(async () => 'token');
  return argocdApplications(argocdApi(directRoute(transport), tokens, world), 'argocd');
}

const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
const refusedAs = (code: string) => ({ diagnostics: [{ code }] });

test('an Application whose values are nested without end', async () => {
  const text = `{"metadata": {"name": "api", "uid": "u", "resourceVersion": "1"}, "spec": {"source": {"helm": ${deep}}}}`;
  const found = argocd(() => ({ text })).get(ADDRESS);
  await expect(found).rejects.toMatchObject(refusedAs('argocd-answer-invalid'));
});

test('an object of Kubernetes that is', async () => {
  const found = kubernetes({ text: deep }).get('/api/v1/namespaces/a');
  await expect(found).rejects.toMatchObject(refusedAs('cluster-answer-invalid'));
});

test('half a character as the place where a list goes on', async () => {
  const page = { metadata: { resourceVersion: '1', continue: 'a\ud800' }, items: [] };
  const last = { metadata: { resourceVersion: '1' }, items: [1] };
  expect((await listAll(kubernetes(json(page), json(last)), '/a')).items).toEqual([1]);
});

test('a page with more items than a call can have arguments', async () => {
  const page = { metadata: { resourceVersion: '1' }, items: Array(300_000).fill(0) };
  expect((await listAll(kubernetes(json(page)), '/a')).items).toHaveLength(300_000);
});

test('a Workflow that was made at no time', async () => {
  const metadata = { name: 'w', namespace: 'argo', uid: 'u', creationTimestamp: 'soon' };
  const found = kubernetesWorkflows(kubernetes(json({ metadata }))).get('argo', 'w');
  await expect(found).rejects.toMatchObject(refusedAs('cluster-answer-invalid'));
});

test.each(['{"value": 7}', '', deep])(
  'a right that is told in another form: %.20s',
  async (text) => {
    const denied = json({ code: 7, message: 'permission denied' }, 403);
    const found = argocd((path) => (path.includes('/can-i/') ? { text } : denied)).get(ADDRESS);
    await expect(found).rejects.toMatchObject(refusedAs('argocd-forbidden'));
  },
);
