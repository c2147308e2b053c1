// What is on a terminal, as people see it: narrow and wide, with and without colours. `npx vitest run test/goldens/terminal --mode slow -u`
// rewrites the expected screens.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { serve } from '../commands/built-command.ts';
import { Terminal } from './tmux.ts';

// What is waited for in a terminal has a limit of its own.
vi.setConfig({ testTimeout: 600_000 });

const EXPECTED = 'test/goldens/terminal';
const FIXTURES = 'test/goldens/fixtures';
const REHEARSE = `rehearse -f ${FIXTURES}/terminal.yaml --profile ${FIXTURES}/terminal-profile.yaml`;
const FAILING = `${REHEARSE} --fault 'app:api degraded after 10s'`;

const LOOKS = [80, 200].flatMap((columns) => {
  const size = { columns, rows: columns === 80 ? 24 : 50 };
  const name = `${columns}x${size.rows}`;
  return [
    { name, size, environment: {} },
    { name: `${name}-no-color`, size, environment: { NO_COLOR: '1' } },
  ];
});

/** In the frame of the progress, not in the line above it. */
const NEXT_ATTEMPT = /attempt 1 of 3 failed, next attempt in \S+[ms]$/m;
const WAITS_FOR_ROLLOUT = /^ +api +\S+ +waiting \S+: .*health is (?:Progressing: )?(?:W|…)/m;
const SKIPPED = '1 skipped: interrupted (site)';
/** Of the frame. */
const LAST_LINE = 'next: site (waits for api)';

const WATCHED = `-f ${FIXTURES}/watch.yaml`;

const scratch = mkdtempSync(join(tmpdir(), 'tiphys-terminal-'));
afterAll(() => rmSync(scratch, { recursive: true }));

const compared = new Set<string>();

async function compare(screen: string, name: string): Promise<void> {
  compared.add(`${name}.txt`);
  await expect(screen).toMatchFileSnapshot(resolve(EXPECTED, `${name}.txt`));
}

/** How far the run was when the screen was read or a key pressed, and what differs from run to run. */
const withoutTimes = (screen: string): string =>
  screen
    // A line is cut where the terminal ends, which depends on the length of the times in it.
    .replace(/(health is) .*…/g, '$1 …')
    .replace(/\brun(\s+)[0-9a-f]{10}\b/g, 'run$1RUN')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT')
    .replace(/"[^"/]+\/\d+\/[0-9a-f]{10}"/g, '"HOST/PROCESS"')
    .replace(/^\d\d:\d\d:\d\d /gm, 'HH:MM:SS ')
    .replace(/ +(?:\d+h)?(?:\d+m)?\d+(?:\.\d+)?s\b/g, ' TIME')
    .replace(/ +(?:\d+h)?\d+m\b/g, ' TIME');

/** Of a table of times: the longest decides how wide its column is, and one too short to show is a dash. */
const withoutWidths = (screen: string): string =>
  screen
    .replace(/(healthy(?:<\/>)?)(?: +(?:TIME|-|<dim>-<\/>)){4}/g, '$1 TIMES')
    .replace(/(\S) {2,}/g, '$1  ');

describe.each(LOOKS)('on a terminal of $name', ({ name, size, environment }) => {
  const open = (args: string) => {
    const terminal = new Terminal(`node dist/main.js ${args}`, size, environment);
    onTestFinished(() => terminal.close());
    return terminal;
  };

  test('a plan that is wider than 80 columns', async () => {
    const terminal = open('plan -f examples/reference/platform.yaml');
    await compare(await terminal.screenWith('exit status 0'), `plan-${name}`);
  });

  test('a wrong argument', async () => {
    const terminal = open(`plan -f ${FIXTURES}/terminal.yaml --scope stack:wbe`);
    await compare(await terminal.screenWith('exit status 3'), `error-${name}`);
  });

  test('a deployment with a failure', async () => {
    const terminal = open(`${FAILING} --speed max`);
    await compare(await terminal.screenWith('\nexit status 2'), `failure-${name}`);
  });

  test('the wait for another attempt, and Ctrl-C in it', async () => {
    const terminal = open(`${FAILING} --speed 20x`);
    const waiting = await terminal.screenWith(NEXT_ATTEMPT, LAST_LINE);
    await compare(withoutTimes(waiting), `retry-${name}`);
    terminal.press('C-c');
    const stopped = await terminal.screenWith('\nexit status 2');
    await compare(withoutTimes(stopped), `stopped-${name}`);
  });

  test('the question of a deployment, the watch of its run from another terminal, and Ctrl-C in both', async () => {
    const kubeconfig = join(scratch, `kubeconfig-${name}`);
    const fault = ['--fault', 'app:api never-healthy'];
    const served = ['-f', `${FIXTURES}/watch.yaml`, ...fault, '--kubeconfig-out', kubeconfig];
    await serve(...served, '--speed', '20x');
    const deployment = open(`deploy ${WATCHED} --kubeconfig ${kubeconfig}`);
    await compare(withoutTimes(await deployment.screenWith('[y/N]')), `confirm-${name}`);
    deployment.press('y');
    deployment.press('Enter');
    const watch = open(`status --watch ${WATCHED} --kubeconfig ${kubeconfig}`);
    const shown = await watch.screenWith(WAITS_FOR_ROLLOUT, LAST_LINE);
    await compare(withoutTimes(shown), `watch-${name}`);
    watch.press('C-c');
    // The length of the process's id decides where the line breaks.
    const left = await watch.unbrokenWith('\nexit status 2');
    await compare(withoutTimes(left), `watch-left-${name}`);
    deployment.press('C-c');
    const stopping = await deployment.screenWith(SKIPPED, WAITS_FOR_ROLLOUT);
    await compare(withoutTimes(stopping), `stopping-${name}`);
    deployment.press('C-c');
    const ended = await deployment.screenWith('\nexit status 2');
    await compare(withoutWidths(withoutTimes(ended)), `ended-${name}`);
  });
});

test('no expected screen is left over', () => {
  expect(readdirSync(EXPECTED).filter((file) => !compared.has(file))).toEqual([]);
});
