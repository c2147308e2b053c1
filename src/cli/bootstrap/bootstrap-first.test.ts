// Who is asked, what is done, and above all when nothing is.
import { expect, test } from 'vitest';
import { type ErrorCode, TiphysError } from '../../errors.ts';
import type { ObjectView } from '../../preflight/preflight-context.ts';
import type { Planned } from '../input/planning.ts';
import type { Io } from '../io.ts';
import { commandOutput } from '../output/command-output.ts';
import { bootstrapFirst } from './bootstrap-first.ts';

const PLANNED = {
  compiled: { platform: { argocdNamespace: 'argocd' } },
  plan: { nodes: [{ id: 'open:platform', application: 'shop-root' }] },
} as unknown as Planned;
const WITHOUT_ROOT = { ...PLANNED, plan: { nodes: [] } } as unknown as Planned;

const OPTIONS = { file: 'platform.yaml', output: 'text' } as const;
const error = (...codes: ErrorCode[]) =>
  new TiphysError(codes.map((code) => ({ code, message: `It is ${code}.` })));
const EMPTY = error('argocd-not-found');

const namespace = (label: string) => ({
  name: 'argocd',
  namespace: '',
  annotations: new Map(),
  deleting: false,
  labels: new Map([['app.kubernetes.io/managed-by', label]]),
});

interface World {
  readonly answer?: string;
  readonly program?: 'ended' | 'missing';
  readonly environment?: Readonly<Record<string, string>>;
  readonly namespaces?: () => Promise<readonly ObjectView[]>;
  readonly planned?: Planned;
}

/** What a deployment that failed like this comes to. */
async function after(cause: unknown, options: object = {}, world: World = {}) {
  const seen = { asked: [] as string[], told: '', ran: 0 };
  const io = {
    ask: async (question: string) => {
      seen.asked.push(question);
      return world.answer;
    },
    terminal: () => undefined,
    stderr: (text: string) => {
      seen.told += text;
    },
    environment: (name: string) => world.environment?.[name],
    runProgram: async () => ({ kind: world.program ?? 'ended' }),
  } as unknown as Io;
  const ways = {
    run: async () => {
      seen.ran += 1;
      return 0 as const;
    },
    namespaces: world.namespaces ?? (async () => [namespace('tiphys-bootstrap')]),
  };
  const given = { ...OPTIONS, ...options };
  const { planned = PLANNED } = world;
  const context = { io, output: commandOutput(io, given) };
  const thrown = await bootstrapFirst(context, planned, given, cause, ways).then(
    () => undefined,
    (one: unknown) => one,
  );
  return { ...seen, thrown };
}

test('without a terminal nothing is done, and the deployment says what it said', async () => {
  expect(await after(EMPTY)).toMatchObject({ ran: 0, thrown: EMPTY });
});

test.each(['y', 'yes', 'YES'])('at a terminal it is asked: %s is consent', async (answer) => {
  const { asked, ran, thrown } = await after(EMPTY, {}, { answer });
  expect({ ran, thrown }).toEqual({ ran: 1, thrown: undefined });
  expect(asked).toHaveLength(1);
  expect(asked[0]).toContain('The cluster has no Argo CD.');
});

test.each(['', 'n', 'no', 'yesterday'])(
  'at a terminal it is asked: "%s" is none',
  async (answer) => {
    expect(await after(EMPTY, {}, { answer })).toMatchObject({ ran: 0, thrown: EMPTY });
  },
);

test('where it was said beforehand nobody is asked', async () => {
  const { asked, ran, told } = await after(EMPTY, { bootstrap: true }, { answer: 'n' });
  expect({ asked, ran, told }).toEqual({
    asked: [],
    ran: 1,
    told: 'The cluster has no Argo CD. Running bootstrap first.\n',
  });
});

test('a dry run stays one', async () => {
  const options = { bootstrap: true, dryRun: true };
  expect(await after(EMPTY, options, { answer: 'y' })).toMatchObject({
    asked: [],
    ran: 0,
    thrown: EMPTY,
  });
});

test('without Ansible it is said what is missing, and what it was for', async () => {
  const { ran, thrown } = await after(EMPTY, { bootstrap: true }, { program: 'missing' });
  expect(ran).toBe(0);
  const { diagnostics, exitStatus } = thrown as TiphysError;
  expect(diagnostics.map(({ code }) => code)).toEqual(['tool-missing', 'argocd-not-found']);
  expect(exitStatus).toBe(3);
});

test.each([
  ['argocd-unreachable'],
  ['argocd-token-rejected'],
  ['project-missing', 'application-wrong-project'],
] satisfies ErrorCode[][])(
  'what bootstrap cannot fix is no reason for one: %s',
  async (...codes) => {
    const cause = error(...codes);
    expect(await after(cause, { bootstrap: true })).toMatchObject({ ran: 0, thrown: cause });
  },
);

test('nor is a bug', async () => {
  const cause = new TypeError('x is not a function');
  expect(await after(cause, { bootstrap: true })).toMatchObject({ ran: 0, thrown: cause });
});

const UNFINISHED: ErrorCode[][] = [
  ['argocd-token-missing'],
  ['project-missing', 'application-missing'],
];

test.each(UNFINISHED)('a bootstrap that was cut off is gone on with: %s', async (...codes) => {
  const { ran, told } = await after(error(...codes), { bootstrap: true });
  expect({ ran, told }).toEqual({
    ran: 1,
    told: 'The bootstrap of this cluster is incomplete. Running bootstrap first.\n',
  });
});

test.each([
  ['somebody else made its namespace', { namespaces: async () => [namespace('helm')] }],
  ['its namespace is another one', { namespaces: async () => [] }],
  [
    'namespaces may not be seen',
    { namespaces: async () => Promise.reject(error('cluster-forbidden')) },
  ],
] satisfies [string, World][])(
  'an Argo CD of somebody else is left alone: %s',
  async (_, world) => {
    const cause = error('project-missing');
    expect(await after(cause, { bootstrap: true }, world)).toMatchObject({ ran: 0, thrown: cause });
  },
);

test('an application that no bootstrap makes, a token that somebody else gave: no reason', async () => {
  const cause = error('application-missing');
  const alone = await after(cause, { bootstrap: true }, { planned: WITHOUT_ROOT });
  expect(alone).toMatchObject({ ran: 0, thrown: cause });
  const token = error('argocd-token-missing');
  const environment = { ARGOCD_TOKEN_FILE: '/secrets/argocd-token' };
  expect(await after(token, { bootstrap: true }, { environment })).toMatchObject({ ran: 0 });
  const given = { bootstrap: true, argocdTokenFile: '/t' };
  expect(await after(token, given)).toMatchObject({ ran: 0, thrown: token });
});
