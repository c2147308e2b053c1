// What a pod of the cluster found, as rows: only where it was asked for.
import { expect, test } from 'vitest';
import { answered, look, silent, turned } from '../../test/fakes/preflight-world.ts';
import { TiphysError } from '../errors.ts';
import type { Answer, PodQuestion, PodRun } from './preflight-context.ts';

const FROM = { fromCluster: true };
const found = (answers: Readonly<Record<string, Answer>>) => ({
  world: {
    askFromCluster: async (): Promise<PodRun> => ({
      kind: 'ran',
      answers: new Map(Object.entries(answers)),
    }),
  },
});

test('nothing is made in the cluster unless that was asked for', async () => {
  const asked: unknown[] = [];
  const askFromCluster = async (questions: readonly PodQuestion[]): Promise<PodRun> => {
    asked.push(questions);
    return { kind: 'ran', answers: new Map() };
  };
  await look({ world: { askFromCluster } });
  expect(asked).toEqual([]);
  await look({ world: { askFromCluster } }, FROM);
  // One pod for all rows, and nothing in it that is secret.
  expect(asked).toEqual([
    [
      {
        ...{ id: 'reach:git', kind: 'http' },
        url: 'https://git.example.com/platform.git/info/refs?service=git-upload-pack',
      },
      {
        id: 'reach:images:images.example.com',
        kind: 'http',
        url: 'https://images.example.com/v2/',
      },
    ],
  ]);
});

test('every source answers', async () => {
  const { rows } = await look({}, FROM);
  const own = rows.filter(({ id }) => id === 'pod' || id.endsWith(':from-cluster'));
  expect(own.map(({ id, verdict, seen }) => `${verdict} ${id}: ${seen}`)).toEqual([
    'pass pod: it ran',
    'pass reach:git:from-cluster: answers with 200',
    'pass reach:images:images.example.com:from-cluster: answers with 200',
  ]);
});

test('a source that does not answer the cluster is a failure', async () => {
  const changes = found({ 'reach:git': answered(401), 'reach:images:images.example.com': silent });
  expect(await turned(changes, FROM)).toEqual({
    exitStatus: 1,
    rows: ['failure reach:images:images.example.com:from-cluster: no answer: no route'],
  });
});

test('a pod that says nothing of a source has not reached it', async () => {
  expect((await turned(found({ 'reach:git': answered(200) }), FROM)).rows).toEqual([
    'failure reach:images:images.example.com:from-cluster: no answer: the pod reported nothing',
  ]);
});

test('a pod that does not run says why, once', async () => {
  const askFromCluster = async (): Promise<PodRun> => ({ kind: 'not-run', reason: 'ErrImagePull' });
  expect((await turned({ world: { askFromCluster } }, FROM)).rows).toEqual([
    'failure pod: ErrImagePull',
    'failure reach:git:from-cluster: not checked: the pod did not run',
    'failure reach:images:images.example.com:from-cluster: not checked: the pod did not run',
  ]);
});

test('a pod that could not be removed is told', async () => {
  const answers = new Map([
    ['reach:git', answered(200)],
    ['reach:images:images.example.com', answered(200)],
  ]);
  const askFromCluster = async (): Promise<PodRun> => ({ kind: 'ran', answers, left: 'probe' });
  expect((await turned({ world: { askFromCluster } }, FROM)).rows).toEqual([
    'failure pod: the pod probe could not be removed',
  ]);
});

test('a cluster that does not answer is told by its own row', async () => {
  const askFromCluster = async () => {
    throw new TiphysError([{ code: 'cluster-unreachable', message: 'It does not answer.' }]);
  };
  const { rows } = await turned({ world: { askFromCluster } }, FROM);
  for (const row of rows) expect(row).toContain('not checked: the cluster cannot be read');
  expect(rows).toHaveLength(3);
});

test('a password in the address of the repository does not get into the pod', async () => {
  let asked = '';
  const askFromCluster = async (questions: readonly PodQuestion[]): Promise<PodRun> => {
    asked = JSON.stringify(questions);
    return { kind: 'ran', answers: new Map() };
  };
  await look(
    { world: { askFromCluster } },
    { ...FROM, gitRepository: 'https://me:s3cret@git.example.com/x' },
  );
  expect(asked).toContain('https://git.example.com/x/info/refs');
  expect(asked).not.toContain('s3cret');
});
