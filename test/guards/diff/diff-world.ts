// A deployed platform in the simulated cluster, and what became of it in Git since: one application of each kind of difference.
import { runCli } from '../../../src/cli/run-cli.ts';
import type { Target } from '../../../src/ports/target.ts';
import type { Transport, TransportRequest } from '../../../src/targets/transport.ts';
import type { Manifest } from '../../conformance/argocd-world.ts';
import { Lab } from '../../conformance/lab.ts';
import { configMap, hook, withOption } from '../../conformance/manifests.ts';
import { rehearsalWorld } from '../../conformance/rehearsal-world.ts';
import { caller, type Ended } from '../command-in-process.ts';

export const SECRETS = ['before-hunter', 'after-hunter', 'same-hunter'];
const [OLD, NEW, SAME] = SECRETS as [string, string, string];

const secret = (password: string): Manifest => ({
  ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'login' } },
  stringData: { password, user: SAME },
});

const long = (word: string) =>
  Object.fromEntries([...Array(150).keys()].map((at) => [`key-${String(at)}`, `${word} ${at}`]));

const IGNORED = { kind: 'ConfigMap', jsonPointers: ['/data/clock'], group: '' };
const PRUNES = { automated: { prune: true, enabled: true } };

/** Suffix -> what it had, what it has now, and how its Application is. */
const APPLICATIONS: readonly (readonly [string, Manifest[], Manifest[], object?])[] = [
  ['same', [configMap('same', { a: '1' })], [configMap('same', { a: '1' })]],
  [
    'changed',
    [configMap('colours', { sky: 'blue', sun: 'yellow' }), configMap('quiet', { a: '1' })],
    [configMap('colours', { sky: 'grey', sun: 'yellow' }), configMap('quiet', { a: '1' })],
  ],
  ['secret', [secret(OLD)], [secret(NEW), hook('PreSync', configMap('hook'))]],
  [
    'ignored',
    [configMap('clock', { clock: '1', hand: 'short' })],
    [configMap('clock', { clock: '2', hand: 'long' })],
    { spec: { ignoreDifferences: [IGNORED] } },
  ],
  [
    'only-ignored',
    [configMap('hour', { clock: '1' })],
    [configMap('hour', { clock: '2' })],
    {
      spec: { ignoreDifferences: [{ ...IGNORED, name: 'hour' }] },
    },
  ],
  ['long', [configMap('long', long('one'))], [configMap('long', long('two'))]],
  ['kept', [configMap('old'), configMap('stays')], [configMap('stays'), configMap('new')]],
  [
    'pruned',
    [configMap('goes'), withOption('Prune=false', configMap('option')), configMap('rest')],
    [configMap('rest')],
    { syncPolicy: PRUNES },
  ],
  [
    'hostile',
    [configMap('hostile', { a: '1' })],
    [
      configMap('hostile', {
        a: '\u001b[2J\u009b2K\r\nforged: changed\n',
        u: 'git://me:hunter@h/x',
      }),
    ],
  ],
];

export interface DiffWorld {
  readonly lab: Lab;
  /** What was asked since the platform was made. */
  readonly seen: TransportRequest[];
  readonly target: Target;
  /** The command, in this process. */
  readonly diff: (...args: string[]) => Promise<Ended>;
  readonly until: <T>(promise: Promise<T>) => Promise<T>;
}

/** `refreshed`: whether Argo CD has seen the newest commits. The caller mocks `connect` with `reach`. */
export async function diffWorld(
  reach: (target: Target) => void,
  { refreshed = true } = {},
): Promise<DiffWorld> {
  const seen: TransportRequest[] = [];
  const through = (way: Transport): Transport => ({
    ...way,
    send: (request) => {
      seen.push(request);
      return way.send(request);
    },
  });
  const { world, until } = await rehearsalWorld(1, '3.2', through);
  const lab = new Lab(world);
  await until(made(lab, refreshed));
  reach(world.target);
  const { clock } = world;
  const files = { 'platform.yaml': platformFile(lab) };
  const advance = (ms: number) => until(clock.sleep(ms));
  const diff = (...args: string[]) => caller({ clock, files, advance })(runCli, ['diff', ...args]);
  seen.length = 0;
  return { lab, seen, target: world.target, diff, until };
}

async function made(lab: Lab, refreshed: boolean): Promise<void> {
  const all = APPLICATIONS.map(([suffix]) => lab.name(suffix));
  for (const [suffix, before, _, options = {}] of APPLICATIONS) {
    await lab.app(suffix, before, options);
    await lab.deployed(lab.name(suffix));
  }
  // What Argo CD would do by itself is none of the matter here.
  await lab.windows([{ kind: 'deny', schedule: '* * * * *', duration: '1h', applications: ['*'] }]);
  for (const [suffix, , after] of APPLICATIONS) await lab.world.commit(suffix, after);
  await lab.app('added', [configMap('fresh', { a: '1' })]);
  await lab.apply(lab.manifestOf('lost'));
  for (const name of [...all, lab.name('added'), lab.name('lost')])
    if (refreshed || name === lab.name('lost')) await lab.refresh(name);
}

function platformFile({ project }: Lab): string {
  const named = (suffix: string, ...dependsOn: string[]) => ({
    name: `case-${suffix}`,
    ...(dependsOn.length > 0 ? { dependsOn: dependsOn.map((one) => `case-${one}`) } : {}),
  });
  const [late = '', ...others] = APPLICATIONS.map(([suffix]) => suffix);
  return JSON.stringify({
    ...{ apiVersion: 'tiphys.dev/v1alpha1', kind: 'Platform', metadata: { name: 'shop' } },
    spec: {
      argocd: { project },
      stacks: [
        { name: 'first', applications: others.map((suffix) => named(suffix)) },
        {
          name: 'second',
          dependsOn: ['stack:first'],
          applications: [named(late, 'absent', 'added', 'lost'), named('absent')],
        },
        { name: 'third', applications: [named('added'), named('lost')] },
      ],
    },
  });
}
