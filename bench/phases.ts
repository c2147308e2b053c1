// A process that times the phases of planning apart: node phases.ts DIST WARM_UP_FILE FILE
import { readFileSync } from 'node:fs';
import type * as cycles from '../src/graph/cycle.ts';
import type * as model from '../src/model/platform.ts';
import type * as building from '../src/plan/build-plan.ts';
import type * as graphing from '../src/plan/platform-graph.ts';
import type * as view from '../src/view/data.ts';

const [dist = '', ...files] = process.argv.slice(2);
const load = <T>(path: string): Promise<T> => import(new URL(path, dist).href);

// The built code, as users run it.
const { parsePlatform } = await load<typeof model>('model/platform.js');
const { buildPlatformGraph } = await load<typeof graphing>('plan/platform-graph.js');
const { shortestCycle } = await load<typeof cycles>('graph/cycle.js');
const { buildPlan } = await load<typeof building>('plan/build-plan.js');
const { renderJson } = await load<typeof view>('view/data.js');

const timed = <T>(work: () => T): [T, number] => {
  const started = performance.now();
  const result = work();
  return [result, (performance.now() - started) / 1000];
};

function phases(file: string) {
  const source = { file, text: readFileSync(file, 'utf8') };
  const [platform, parse] = timed(() => parsePlatform(source));
  const [result, plan] = timed(() => {
    const compiled = buildPlatformGraph(platform);
    shortestCycle(compiled.graph);
    return buildPlan(compiled, { action: 'deploy' });
  });
  const [, render] = timed(() => renderJson(result));
  return { parse, plan, render };
}

process.stdout.write(JSON.stringify(files.map(phases).at(-1)));
