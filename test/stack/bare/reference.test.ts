// The reference platform from an empty cluster, with the documented commands alone, timed by phase. It is left there: the shorter
// file is the later one.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allCharts } from '../charts.ts';
import { Bare } from '../kit/bare.ts';
import { full } from '../kit/full.ts';
import { Repository } from '../kit/repository.ts';
import { stack } from '../kit/stack.ts';
import { deployed } from '../kit/tiphys.ts';
import { podImages } from '../pod-images.ts';

const MINUTES = 60_000;
const FILES = ['-f', 'reference/platform.yaml', '-e', 'reference/environment.yaml'];

describe.runIf(full)('the reference platform', { timeout: 25 * MINUTES }, () => {
  let bare: Bare;
  let phaseOne: string[];

  beforeAll(async () => {
    bare = await Bare.create(stack(), {});
    const { config } = bare.stack;
    await podImages(config);
    await allCharts(config, bare.charts('good'));
    phaseOne = ['--charts', bare.charts('good'), '--secrets', 'secrets', ...FILES];
    const repository = await Repository.create(join(bare.folder, 'reference'));
    const from = ['--git-repository', bare.git.url('reference')];
    await bare.run('init', repository.directory, '--stand-ins', ...from);
    await repository.commit({});
  }, 10 * MINUTES);

  afterAll(() => bare?.close());

  const timed = async (...args: string[]) => {
    const begin = performance.now();
    const ended = await bare.run(...args);
    const seconds = (performance.now() - begin) / 1000;
    console.log(`${args[0]}: ${seconds.toFixed(0)} s, exit status ${ended.status}`);
    return ended;
  };

  test('comes up from nothing, by preflight, bootstrap and deploy', async () => {
    expect((await timed('preflight', ...phaseOne)).status).toBe(0);
    const made = await timed('bootstrap', ...phaseOne);
    expect(made.status, made.stdout + made.stderr).toBe(0);
    const { report, status } = deployed(await timed('deploy', '-o', 'json', ...FILES));
    expect(report.nodes.filter(({ cause }) => cause)).toEqual([]);
    expect([status, report.counts.healthy, report.held]).toEqual([0, 43, []]);
  });
});
