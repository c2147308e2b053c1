// Connectivity and credentials: each row with a state that must turn it, and nothing else may turn.
import { expect, test } from 'vitest';
import {
  answered,
  type Changes,
  look,
  object,
  silent,
  turned,
} from '../../test/fakes/preflight-world.ts';

const OUTSIDE: readonly (readonly [string, Changes, string, number])[] = [
  [
    'images',
    { answers: { 'images.example.com': silent } },
    'warning reach:images:images.example.com: no answer: no route',
    0,
  ],
  [
    'images, another server',
    { answers: { 'images.example.com': answered(404) } },
    'warning reach:images:images.example.com: answers with 404',
    0,
  ],
  ['images behind a login', { answers: { 'images.example.com': answered(401) } }, '', 0],
  [
    'charts',
    { answers: { 'argo-helm': silent } },
    'failure reach:charts:argoproj.github.io: no answer: no route',
    1,
  ],
  [
    'charts, moved away',
    { answers: { 'argo-helm': answered(404) } },
    'failure reach:charts:argoproj.github.io: answers with 404',
    1,
  ],
  [
    'a private repository',
    { answers: { git: answered(401) } },
    'failure credential:git: without a token it answers with 401',
    3,
  ],
  [
    'a wrong token',
    { answers: { git: answered(403) }, secrets: { 'git-token': 't0ken' } },
    'failure credential:git: with the token it answers with 403',
    3,
  ],
  [
    'a token that leads to a login page',
    { answers: { git: answered(302) }, secrets: { 'git-token': 't0ken' } },
    'failure credential:git: with the token it answers with 302',
    3,
  ],
  [
    'a registry config that is none',
    { secrets: { 'registry.json': 'me:pass' } },
    'failure credential:registry: registry.json names no registry',
    3,
  ],
  [
    'no DNS credentials',
    { secrets: { 'dns-credentials': ' \n' } },
    'warning credential:dns: missing, but the platform has external-dns',
    0,
  ],
];

test.each(OUTSIDE)('outside: %s', async (_, changes, row, exitStatus) => {
  // The sources of charts have "git" in their names, too.
  const answers = Object.fromEntries(
    Object.entries(changes.answers ?? {}).map(([part, answer]) => [
      part === 'git' ? 'git.example' : part,
      answer,
    ]),
  );
  expect(await turned({ ...changes, answers })).toEqual({ exitStatus, rows: row ? [row] : [] });
});

/** As an earlier bootstrap left it in that namespace. */
const tokenIn = (namespace: string, expires?: string): Changes => ({
  cluster: {
    secrets: async (label) =>
      label === 'tiphys.dev/token=argocd'
        ? [
            object('s', {
              namespace,
              annotations: expires ? { 'tiphys.dev/expires': expires } : {},
            }),
          ]
        : [],
  },
});

test.each<[string, Changes, string]>([
  ['that is good for long', tokenIn('argocd', '2026-11-29T00:00:01Z'), ''],
  [
    'that expires soon',
    tokenIn('argocd', '2026-11-29T00:00:00Z'),
    'warning credential:argocd-token: the Argo CD token in the Secret "s" expires at 2026-11-29T00:00:00.000Z',
  ],
  [
    'that has expired',
    tokenIn('argocd', '2026-11-14T00:00:00Z'),
    'warning credential:argocd-token: the Argo CD token in the Secret "s" has expired at 2026-11-14T00:00:00.000Z',
  ],
  [
    'of unknown age',
    tokenIn('argocd'),
    'warning credential:argocd-token: the expiry of the Argo CD token in the Secret "s" is unknown',
  ],
  ['of another Argo CD', tokenIn('other', '2026-11-14T00:00:00Z'), ''],
])('a token %s', async (_, changes, row) => {
  expect(await turned(changes)).toEqual({ exitStatus: 0, rows: row ? [row] : [] });
});

test('a repository that does not answer is a hint only, and its credentials are not judged', async () => {
  expect(await turned({ answers: { 'git.example': silent } })).toEqual({
    exitStatus: 0,
    rows: [
      'warning reach:git: no answer: no route',
      'warning credential:git: not checked: no answer to this machine',
    ],
  });
});

test('a token goes with the request, and into no row', async () => {
  const asked: unknown[] = [];
  const request = async (url: string, headers?: object) => {
    if (url.includes('git.example')) asked.push(headers);
    return answered(200);
  };
  const report = await look({ secrets: { 'git-token': 't0ken\n' }, world: { request } });
  expect(asked).toContainEqual({ authorization: `Basic ${btoa('git:t0ken')}` });
  expect(JSON.stringify(report)).not.toMatch(/t0ken|c2VjcmV0/);
  expect(report.rows.find(({ id }) => id === 'credential:git')?.seen).toBe('the token is accepted');
});

test('a token is not sent in clear text', async () => {
  const asked: unknown[] = [];
  const request = async (_: string, headers: object = {}) => {
    asked.push(headers);
    return answered(200);
  };
  const changes = { secrets: { 'git-token': 't0ken' }, world: { request } };
  const { rows } = await turned(changes, { gitRepository: 'http://git.example/x.git' });
  expect(rows).toEqual([
    'failure credential:git: the token was not sent: git.example is reached without TLS',
  ]);
  expect(asked.filter((headers) => 'authorization' in (headers as object))).toEqual([]);
});

test('a token may come with a name of its own', async () => {
  const asked: unknown[] = [];
  const request = async (_: string, headers?: object) => {
    asked.push(headers);
    return answered(200);
  };
  await look({ secrets: { 'git-token': 'robot:t0ken' }, world: { request } });
  expect(asked).toContainEqual({ authorization: `Basic ${btoa('robot:t0ken')}` });
});

test('a repository whose server is in trouble', async () => {
  expect((await turned({ answers: { 'git.example': answered(503) } })).rows).toEqual([
    'warning reach:git: answers with 503',
    'warning credential:git: without a token it answers with 503',
  ]);
});

test('a password in the address of the repository is not shown', async () => {
  const report = await look({}, { gitRepository: 'https://me:s3cret@git.example.com/x' });
  expect(JSON.stringify(report)).not.toContain('s3cret');
});

test.each([
  ['git@git.example.com:team/x.git', {}, 'failure credential:git: no key for SSH'],
  [
    'ssh://git@git.example.com:2222/x',
    { 'git-ssh-key': 'x' },
    'failure credential:git: git-ssh-key does not contain a private key',
  ],
  [
    'git@git.example.com:x',
    { 'git-ssh-key': '-----BEGIN OPENSSH PRIVATE KEY-----\n' },
    'warning credential:git: a private key; not tested',
  ],
])('SSH: %s', async (gitRepository, secrets, row) => {
  expect((await turned({ secrets }, { gitRepository })).rows).toEqual([row]);
});

test('SSH is asked for at its own port', async () => {
  const asked: unknown[] = [];
  const connect = async (...place: unknown[]) => {
    asked.push(place);
    return answered(0);
  };
  const world = { connect };
  await look({ world }, { gitRepository: 'ssh://git@git.example.com:2222/x' });
  await look({ world }, { gitRepository: 'git@git.example.com:x' });
  expect(asked).toEqual([
    ['git.example.com', 2222],
    ['git.example.com', 22],
  ]);
});

test('a repository that is a folder, one that is no address, and none at all', async () => {
  const world = { exists: () => false };
  expect(await turned({}, { gitRepository: 'file:///srv/x' })).toMatchObject({ rows: [] });
  expect((await turned({ world }, { gitRepository: 'file:///srv/x' })).rows).toEqual([
    'warning reach:git: no answer: the folder does not exist',
  ]);
  for (const [gitRepository, seen] of [
    ['platform', 'not a valid address'],
    [undefined, 'no environment file sets one'],
  ] as const) {
    expect((await turned({}, { gitRepository })).rows).toEqual([
      `warning reach:git: ${seen}`,
      'warning credential:git: the repository is unknown',
    ]);
  }
});

test('charts of a folder are not asked for elsewhere', async () => {
  const { rows } = await look({}, { charts: 'charts' });
  const charts = rows.filter(({ id }) => id.startsWith('reach:charts'));
  expect(charts).toMatchObject([{ id: 'reach:charts', seen: 'argo-cd-9.1.0.tgz' }]);
  const empty = await turned({ world: { list: () => ['README.md'] } }, { charts: 'charts' });
  expect(empty.rows).toEqual(['failure reach:charts: no file NAME-VERSION.tgz']);
});
