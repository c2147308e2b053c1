// The Jobs of probes, as Kubernetes is asked for them and answers.
import { expect, test } from 'vitest';
import { FakeTransport, failure, json, type Reply } from '../../../test/fakes/transport.ts';
import { VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import type { Probe } from '../../model/probe.ts';
import type { TransportRequest } from '../transport.ts';
import { kubernetesApi } from './api.ts';
import { kubernetesProbeJobs } from './probe-jobs.ts';

const JOB = '/apis/batch/v1/namespaces/probes/jobs';
const PLACE = { namespace: 'probes', image: 'executor:1' };

function jobsWith(answer: (request: TransportRequest) => Reply) {
  const transport = new FakeTransport(answer);
  const clock = new VirtualClock();
  const api = kubernetesApi(transport, { clock, random: () => 0.5 });
  return { transport, clock, jobs: kubernetesProbeJobs(api, PLACE) };
}

async function made(probe: Probe) {
  const { transport, jobs } = jobsWith(() => json({}, 201));
  const labels = new Map([['tiphys.dev/run', 'r1']]);
  const annotations = new Map([['tiphys.dev/application', 'argocd/vault']]);
  expect(await jobs.create({ name: 'p', labels, annotations, probe })).toEqual({ kind: 'done' });
  const [{ method, path, body }] = transport.requests as [TransportRequest];
  expect([method, path]).toEqual(['POST', JOB]);
  return body as {
    metadata: object;
    spec: object & { template: { spec: { containers: { env?: unknown }[] } } };
  };
}

test('an address is asked by the executor, in a pod that may do nothing', async () => {
  const { metadata, spec } = await made({ http: 'http://a/', status: 204, timeout: 10 });
  const labels = { 'app.kubernetes.io/managed-by': 'tiphys', 'tiphys.dev/run': 'r1' };
  expect(metadata).toEqual({
    ...{ name: 'p', namespace: 'probes', labels },
    annotations: { 'tiphys.dev/application': 'argocd/vault' },
  });
  expect(spec).toMatchObject({
    ...{ backoffLimit: 0, activeDeadlineSeconds: 70, ttlSecondsAfterFinished: 180 },
    template: {
      metadata: { labels },
      spec: {
        ...{ restartPolicy: 'Never', automountServiceAccountToken: false },
        ...{ enableServiceLinks: false },
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
        containers: [
          {
            ...{ image: 'executor:1', terminationMessagePolicy: 'FallbackToLogsOnError' },
            command: ['/usr/bin/node', '/app/bin/executor', 'probe'],
            env: [{ name: 'PROBE', value: '{"http":"http://a/","status":204,"timeout":10}' }],
            resources: { limits: { memory: '256Mi' } },
            securityContext: {
              ...{ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false },
              capabilities: { drop: ['ALL'] },
            },
          },
        ],
      },
    },
  });
  const pod = spec.template.spec;
  for (const key of ['volumes', 'serviceAccountName', 'hostNetwork'])
    expect(pod).not.toHaveProperty(key);
});

test('a program runs as it is, and is told nothing', async () => {
  const job = { image: 'check:1', command: ['/bin/check', 'a'] };
  const { spec } = await made({ job, timeout: 60 });
  const [container] = spec.template.spec.containers;
  expect(container).toMatchObject({ ...job, securityContext: { readOnlyRootFilesystem: true } });
  expect(container?.env).toBeUndefined();
});

const condition = (type: string, part: object = {}) => ({
  conditions: [{ type, status: 'True', lastTransitionTime: '2026-01-01T00:00:10Z', ...part }],
});
const terminated = (message: string | undefined, exitCode = 1) => ({
  status: { containerStatuses: [{ state: { terminated: { exitCode, message } } }] },
});

async function seen(status: object | undefined, pod?: object, pods?: Reply) {
  const { transport, clock, jobs } = jobsWith(({ path }) => {
    if (path === `${JOB}/p`) return status ? json({ status }) : json({}, 404);
    return pods ?? json({ items: pod ? [pod] : [] });
  });
  const job = await clock.until(jobs.get('p'), 60_000);
  return { job, paths: transport.requests.map(({ path }) => path) };
}

const ENDED = Date.UTC(2026, 0, 1, 0, 0, 10);

test.each([
  ['none of that name', undefined, undefined, undefined],
  ['one that has just begun', {}, undefined, ['running', '', undefined]],
  [
    'one that has said so',
    condition('Complete'),
    terminated('HTTP 200', 0),
    ['succeeded', 'HTTP 200', ENDED],
  ],
  ['one that failed', condition('Failed'), terminated('HTTP 503\n'), ['failed', 'HTTP 503', ENDED]],
  [
    'one that says nothing',
    condition('Failed'),
    terminated(undefined, 3),
    ['failed', 'it ended with exit status 3', ENDED],
  ],
  [
    'one that took too long',
    condition('Failed', { reason: 'DeadlineExceeded', message: 'was active' }),
    undefined,
    ['failed', 'DeadlineExceeded: was active', ENDED],
  ],
  ['one about to fail', condition('FailureTarget'), undefined, ['failed', '', ENDED]],
  [
    'one whose success is not sure',
    condition('SuccessCriteriaMet'),
    undefined,
    ['running', '', undefined],
  ],
  [
    'a condition that does not hold',
    condition('Complete', { status: 'False' }),
    undefined,
    ['running', '', undefined],
  ],
  [
    'its own time counts',
    { ...condition('Complete'), completionTime: '2026-01-01T00:00:09Z' },
    undefined,
    ['succeeded', '', ENDED - 1_000],
  ],
])('%s', async (_, status, pod, expected) => {
  const { job } = await seen(status, pod);
  expect(job && [job.state, job.message, job.endedAt]).toEqual(expected);
});

test('the pod of one that runs is read only by who asks for its trouble', async () => {
  expect((await seen({})).paths).toEqual([`${JOB}/p`]);
  const waiting = { reason: 'ErrImagePull', message: 'no\nsuch' };
  const pod = { status: { containerStatuses: [{ state: { waiting } }] } };
  const { transport, jobs } = jobsWith(() => json({ items: [pod] }));
  expect(await jobs.trouble('p')).toBe('ErrImagePull: no such');
  expect(transport.requests).toHaveLength(1);
});

test('both at once is a failure', async () => {
  const both = {
    conditions: [...condition('Complete').conditions, ...condition('Failed').conditions],
  };
  expect((await seen(both)).job?.state).toBe('failed');
});

test('of a long log its end is shown, in one line and without a password', async () => {
  const said = `${'x'.repeat(500)}\n a \n\tb http://u:secret@host/ refused\n`;
  const { job, paths } = await seen(condition('Failed'), terminated(said));
  expect(job?.message).toMatch(/^\.\.\.x+ a b http:\/\/\*\*\*@host\/ refused$/);
  expect(job?.message).toHaveLength(203);
  expect(paths[1]).toContain('labelSelector=batch.kubernetes.io%2Fjob-name%3Dp');
});

test('a password that the end of a log begins with is not shown', async () => {
  const said = `http://u:${'s'.repeat(250)}@host/`;
  const { job } = await seen(condition('Failed'), terminated(said));
  expect(job?.message).toBe('http://***@host/');
});

test('of what else is long its beginning is shown', async () => {
  const message = `was\nactive ${'x'.repeat(500)}`;
  const { job } = await seen(condition('Failed', { reason: 'DeadlineExceeded', message }));
  expect(job?.message).toMatch(/^DeadlineExceeded: was active x+\.\.\.$/);
  expect(job?.message).toHaveLength(203);
});

test.each([json({}, 403), failure(), json({ items: 5 })])(
  'who cannot read its pod does without',
  async (pods) => {
    const { job } = await seen(condition('Complete', { reason: 'Done' }), undefined, pods);
    expect([job?.state, job?.message]).toEqual(['succeeded', 'Done']);
  },
);

test.each([
  [200, true],
  [404, false],
  [403, undefined],
])('its namespace, where Kubernetes answers %i', async (status, expected) => {
  const { transport, jobs } = jobsWith(() => json({}, status));
  expect(await jobs.isNamespaceThere()).toBe(expected);
  expect(transport.requests[0]?.path).toBe('/api/v1/namespaces/probes');
});
