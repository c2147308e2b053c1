// Where a platform stands, as people read it.
import { expect, test } from 'vitest';
import { API_VERSION } from '../model/api-version.ts';
import type { Status, StatusNode } from '../report/platform-status.ts';
import { renderForeignYaml } from './data.ts';
import { renderNames, renderStatus } from './status-text.ts';

const node = (id: string, rest: Partial<StatusNode> = {}): StatusNode => ({
  ...{ id, sync: 'Synced', health: 'Healthy', age: 12, held: false, warning: null },
  ...rest,
});

const ARGOCD = { version: 'v3.2.11', isTried: true, tokens: [] };

const status = (rest: Partial<Status> = {}): Status => ({
  ...{ apiVersion: API_VERSION, kind: 'Status', platform: 'shop', active: null, lastRun: null },
  ...{ held: [], nodes: [node('app:db')], argocd: ARGOCD },
  ...rest,
});

/** The lines below the table. */
const summary = (rest: Partial<Status>): string[] =>
  renderStatus(status(rest)).split('\n\n')[1]?.trimEnd().split('\n') ?? [];

const RUN = {
  ...{ run: 'r1', started: '2026-11-15T07:42:00.000Z', plan: 'sha256:0' },
  exitStatus: undefined,
};

test('who started the active run, and the last one', () => {
  const startedBy = { trigger: 'workflow', user: 'sa', submittedBy: 'jane' } as const;
  const lines = summary({
    active: { run: 'r2', holder: 'workflow argo/wf', startedBy },
    lastRun: { ...RUN, startedBy: { trigger: 'cli', user: 'joe' } },
  });
  expect(lines.slice(0, 2)).toEqual([
    '"shop": run r2 is active in workflow argo/wf, started by jane (unverified), as sa',
    'last run: r1, started 2026-11-15T07:42:00Z by joe, not finished',
  ]);
});

test('a sync by a break-glass account', () => {
  const breakGlass = { by: 'alice', at: '2026-11-15T07:42:00.000Z' };
  expect(summary({ nodes: [node('app:db', { breakGlass })] })).toContain(
    'db was synced by the break-glass account "alice" at 2026-11-15T07:42:00.000Z',
  );
});

test('every state of an application, and what is held', () => {
  const nodes = [
    node('app:db'),
    node('app:api', { sync: 'OutOfSync', health: 'Degraded', age: 0, held: true }),
    node('app:site', { sync: 'Unknown', health: 'Progressing' }),
    node('app:jobs', { health: 'Suspended' }),
    node('app:late', { sync: 'Missing', health: 'Missing', age: null }),
    node('close:stack:data', { held: true }),
    node('close:platform'),
  ];
  const held = ['app:api', 'close:stack:data'];
  expect(renderStatus(status({ nodes, held }))).toBe(`\
NAME        SYNC       HEALTH       SEEN     HOLD
db          Synced     Healthy      12s ago
api         OutOfSync  Degraded     0s ago   on hold
site        Unknown    Progressing  12s ago
jobs        Synced     Suspended    12s ago
late        -          Missing      -
stack:data  Synced     Healthy      12s ago  on hold
platform    Synced     Healthy      12s ago

"shop": no run is active
no run recorded
on hold: api, stack:data
Argo CD v3.2.11
`);
});

test.each([
  ['nothing ever ran', {}, ['"shop": no run is active', 'no run recorded']],
  [
    'a run is active, and its record has no end yet',
    { active: { run: 'r1', holder: 'ci/abc' }, lastRun: RUN },
    ['"shop": run r1 is active in ci/abc, since 2026-11-15T07:42:00Z'],
  ],
  [
    'a run is active that has no record yet',
    { active: { run: 'r2', holder: 'ci/abc' }, lastRun: RUN },
    [
      '"shop": run r2 is active in ci/abc',
      'last run: r1, started 2026-11-15T07:42:00Z, not finished',
    ],
  ],
  [
    'the last run succeeded: 0 is an exit status',
    { lastRun: { ...RUN, exitStatus: 0 } },
    ['"shop": no run is active', 'last run: r1, started 2026-11-15T07:42:00Z, exit status 0'],
  ],
  [
    'the last run was partial',
    { lastRun: { ...RUN, exitStatus: 2 } },
    ['"shop": no run is active', 'last run: r1, started 2026-11-15T07:42:00Z, exit status 2'],
  ],
] as const)('%s', (_, rest, lines) => {
  expect(summary(rest as Partial<Status>)).toEqual([...lines, 'Argo CD v3.2.11']);
});

test.each<[string, NonNullable<StatusNode['approval']>, string]>([
  ['later', { question: 'Unseal it', state: 'later' }, 'required once it is healthy'],
  ['awaited', { question: 'Unseal it', state: 'awaited' }, 'pending: run `tiphys approve vault`'],
  [
    'denied',
    {
      ...{ question: 'Unseal it', state: 'denied' },
      decision: { approved: false, by: 'jane', at: '2026-01-02T03:04:05Z', reason: 'no keys' },
    },
    'denied by jane at 2026-01-02T03:04:05Z: no keys',
  ],
])('an approval that is %s', (_, approval, said) => {
  const nodes = [node('app:db'), node('app:vault', { approval })];
  expect(summary({ nodes })[2]).toBe(`approval of vault (Unseal it): ${said}`);
});

test('warnings name the version of Argo CD, and what cannot be relied on', () => {
  const nodes = [node('app:db'), node('close:stack:data', { warning: 'it is not reconciled' })];
  const lines = summary({ nodes, argocd: { ...ARGOCD, version: 'v9.9.9', isTried: false } });
  expect(lines.slice(2)).toEqual([
    'Argo CD v9.9.9',
    expect.stringMatching(/^warning: Argo CD v9\.9\.9 is not one of the versions /),
    'warning: stack:data: it is not reconciled',
  ]);
});

test('text of the cluster stays in its cell and its line', () => {
  const forged = '\u001b[2K\u001b]52;c;aGk=\u0007\ndb  Synced\r\n\u009b1A\u202e';
  const text = renderStatus(
    status({
      active: { run: forged, holder: forged },
      lastRun: { ...RUN, started: forged },
      held: [`app:${forged}`],
      argocd: { ...ARGOCD, version: forged, isTried: false },
      nodes: [
        node('app:db', {
          ...{ sync: forged, health: forged, warning: forged },
          approval: { question: forged, state: 'awaited' },
        }),
      ],
    }),
  );
  expect(text.replaceAll('\n', '')).toMatch(/^[ -~]*$/);
  // The header, one row, a blank line, and seven lines of summary.
  expect(text.split('\n')).toHaveLength(11);
});

test('a column is as wide as its widest cell, and no line ends with blanks', () => {
  const name = 'a-name-of-an-application-that-is-longer-than-any-header';
  const nodes = [node('app:db'), node(`app:${name}`, { age: 86_400 * 400, held: true })];
  const [header = '', short = '', long = ''] = renderStatus(status({ nodes })).split('\n');
  expect(long).toBe(`${name}  Synced  Healthy  400d ago  on hold`);
  for (const column of ['SYNC', 'HEALTH', 'SEEN']) {
    const at = header.indexOf(column);
    for (const row of [short, long]) expect(row.slice(at - 2, at + 1)).toMatch(/^ {2}\S$/);
  }
  for (const line of [header, short, long]) expect(line).toBe(line.trimEnd());
});

test('a token that expires soon is told, with what to do', () => {
  const tokenWarning = 'the Argo CD token expires at 2026-11-29T00:00:00.000Z';
  const good = { secret: null, expires: null, warning: null };
  const tokens = [good, { ...good, warning: tokenWarning }];
  expect(summary({ argocd: { ...ARGOCD, tokens } })).toContain(
    `warning: ${tokenWarning}. Renew it: tiphys bootstrap --only argocd`,
  );
});

test('names are references, one a line', () => {
  const nodes = ['app:db', 'close:stack:data', 'close:platform'].map((id) => node(id));
  expect(renderNames(nodes)).toBe('app:db\nstack:data\nplatform\n');
});

test('YAML of a cluster shows every character for what it is', () => {
  const held = ['a\u202eb\u001b[2J', undefined as unknown as string];
  expect(renderForeignYaml({ held, gone: undefined })).toBe(
    'held:\n  - a\\u{202e}b\\u{1b}[2J\n  - null\n',
  );
});
