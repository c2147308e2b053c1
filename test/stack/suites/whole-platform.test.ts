// One platform that uses everything that a platform file offers, by each engine: three levels of Applications, an approval, a probe,
// Applications that an ApplicationSet makes, and an environment that gets more than the one before it.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { child, generator, memberName } from '../kit/family.ts';
import { QUICK } from '../kit/platform.ts';
import type { Files } from '../kit/repository.ts';
import { asked } from '../kit/run-events.ts';
import type { Scratch } from '../kit/scratch.ts';
import { test } from '../kit/test.ts';
import { deployed, Tiphys } from '../kit/tiphys.ts';
import { operationsOf } from '../kit/traces.ts';
import { allowRuns, ENGINES, environmentFor, loadExecutor } from '../kit/workflow-runs.ts';
import { configMap, deployment, service } from '../kit/workloads.ts';

const LEVELS = ['outer', 'inner', 'deep'] as const;
const SHOPS = ['shop-a', 'shop-b'];

/** A member of a stack: its files in Git, those of its parent's directory included, and its line in the platform file. */
interface Part {
  readonly level: (typeof LEVELS)[number];
  readonly files: Files;
  readonly entry: object;
}

type Dependency = string | { readonly name: string; readonly optional: true };

interface Settings {
  readonly dependsOn?: readonly Dependency[];
  readonly gate?: object;
  readonly environments?: readonly string[];
}

function partsOf(scratch: Scratch): Part[] {
  const named = (one: Dependency) =>
    typeof one === 'string'
      ? memberName(scratch, one)
      : { ...one, name: memberName(scratch, one.name) };
  const entryOf = (name: string, { dependsOn = [], ...more }: Settings) => ({
    ...{ name: memberName(scratch, name), dependsOn: dependsOn.map(named), ...more },
  });
  const part = (level: Part['level'], name: string, manifests: object, settings: Settings = {}) => {
    const entry = entryOf(name, settings);
    const files = {
      [`${level}/${name}.yaml`]: child(scratch, name),
      [`${name}/manifests.yaml`]: manifests,
    };
    return { level, files, entry };
  };
  const host = `store.${scratch.namespace}.svc.cluster.local`;
  return [
    part('outer', 'first', configMap('first', {})),
    part('outer', 'vault', deployment({ name: 'vault' }), {
      ...{ dependsOn: ['first'], gate: { approval: 'Unseal Vault' } },
    }),
    part('inner', 'second', configMap('second', {}), { dependsOn: ['vault'] }),
    part('inner', 'store', [deployment({ name: 'store' }), service('store')], {
      ...{ dependsOn: ['second'], gate: { probe: { http: `http://${host}/` } } },
    }),
    {
      level: 'inner',
      files: {
        'inner/shops.yaml': generator(scratch, 'shops', SHOPS),
        ...Object.fromEntries(SHOPS.map((shop) => [`${shop}/map.yaml`, configMap(shop, {})])),
      },
      entry: {
        ...entryOf('shops', { dependsOn: ['store'] }),
        ...{ names: memberName(scratch, 'shop-*'), atLeast: SHOPS.length },
        selector: { matchLabels: { team: scratch.name } },
      },
    },
    part('inner', 'tracing', configMap('tracing', {}), {
      ...{ dependsOn: ['second'], environments: ['production'] },
    }),
    part('deep', 'leaf', configMap('leaf', {}), {
      dependsOn: ['shops', { name: 'tracing', optional: true }],
    }),
  ];
}

const isEverywhere = ({ entry }: Part) => !('environments' in entry);

const filesOf = (parts: readonly Part[]): Files =>
  Object.assign({}, ...parts.map(({ files }) => files));

/** What every environment has is committed. */
async function platform(scratch: Scratch, parts: readonly Part[]): Promise<Tiphys> {
  await scratch.repository.commit({
    ...filesOf(parts.filter(isEverywhere)),
    'outer/inner.yaml': child(scratch, 'inner'),
    'inner/deep.yaml': child(scratch, 'deep'),
  });
  await scratch.application('outer', { path: 'outer' });
  // What makes others goes before them, or it would make them again.
  scratch.afterwards(async () => {
    for (const level of LEVELS) await scratch.stack.remove(child(scratch, level));
    await scratch.stack.remove(generator(scratch, 'shops', SHOPS));
  });
  const stacks = LEVELS.map((level, at) => ({
    ...{ name: level, application: memberName(scratch, level) },
    ...(at > 0 ? { parent: LEVELS[at - 1] } : {}),
    applications: parts.filter((one) => one.level === level).map(({ entry }) => entry),
  }));
  const tiphys = new Tiphys(scratch);
  await tiphys.platform({ ...QUICK, stacks });
  return tiphys;
}

/** The environment that the next run is for. */
async function enter(scratch: Scratch, name: string): Promise<void> {
  await environmentFor(scratch);
  const file = join(scratch.stack.config.state, 'platforms', scratch.name, 'environment.yaml');
  const environment = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify({ ...environment, name }));
}

test.concurrent.for(ENGINES.slice(0, 2))(
  'everything in one platform: %s',
  async ([, by], { stack, scratch }) => {
    const parts = partsOf(scratch);
    const tiphys = await platform(scratch, parts);
    await loadExecutor(scratch);
    await allowRuns(scratch);
    const id = (suffix: string) => `app:${memberName(scratch, suffix)}`;
    const vault = memberName(scratch, 'vault');
    const begin = await stack.audit.mark();
    await enter(scratch, 'staging');
    const run = tiphys.start(['deploy', '-o', 'json', ...by]);
    await asked(run, id('vault'));
    const before = (await operationsOf(scratch, begin)).map(({ application }) => application);
    expect(before).not.toContain('second');
    expect((await tiphys.run('approve', vault)).status).toBe(0);
    const first = deployed(await run.ended);
    expect([first.status, first.report.held], first.stdout).toEqual([0, []]);
    expect(first.outcomes).not.toHaveProperty([id('tracing')]);
    const made = (await operationsOf(scratch, begin)).map(({ application }) => application);
    const chain = ['first', 'vault', 'second', 'store', ...SHOPS, 'leaf'];
    const members = made.filter((one) => chain.includes(one));
    expect([...members.slice(0, 4), ...members.slice(4, 6).sort(), ...members.slice(6)]).toEqual(
      chain,
    );
    const store = first.report.nodes.find((one) => one.id === id('store'));
    expect(store?.evidence?.probe).toMatchObject({ succeeded: true, message: 'HTTP 200' });
    expect(made.filter((one) => LEVELS.some((level) => level === one))).toEqual([...LEVELS]);
    expect(made).toHaveLength(chain.length + LEVELS.length);

    // The next environment has one more, which Git has by then. Nobody is asked again, and nothing else is touched.
    const more = parts.filter((one) => !isEverywhere(one));
    await scratch.repository.commit(filesOf(more));
    await enter(scratch, 'production');
    const next = await stack.audit.mark();
    const second = await tiphys.deploy(...by);
    expect([second.status, second.report.held], second.stdout).toEqual([0, []]);
    expect(second.outcomes).toMatchObject({
      ...{ [id('vault')]: 'unchanged', [id('store')]: 'unchanged', [id('shops')]: 'unchanged' },
      ...{ [id('leaf')]: 'unchanged', [id('tracing')]: 'healthy' },
    });
    const added = (await operationsOf(scratch, next)).map(({ application }) => application);
    expect(added).toEqual(['inner', 'tracing']);
  },
);
