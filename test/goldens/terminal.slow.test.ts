// What is on a terminal, as people see it: narrow and wide, with and without colours. `npx vitest run test/goldens/terminal --mode slow -u`
// rewrites the expected screens.
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Terminal } from './tmux.ts';

vi.setConfig({ testTimeout: 180_000 });

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

const compared = new Set<string>();

async function compare(screen: string, name: string): Promise<void> {
  compared.add(`${name}.txt`);
  await expect(screen).toMatchFileSnapshot(resolve(EXPECTED, `${name}.txt`));
}

/** How far the run was when somebody looked, or pressed a key. */
const withoutTimes = (screen: string): string =>
  screen
    .replace(/^\d\d:\d\d:\d\d /gm, 'HH:MM:SS ')
    .replace(/ +(?:\d+h)?(?:\d+m)?\d+(?:\.\d+)?s\b/g, ' TIME')
    .replace(/ +(?:\d+h)?\d+m\b/g, ' TIME');

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
    const terminal = open(`${FAILING} --speed 30x`);
    const waiting = await terminal.screenWith('next attempt in');
    await compare(withoutTimes(waiting), `retry-${name}`);
    terminal.press('C-c');
    const stopped = await terminal.screenWith('\nexit status 2');
    await compare(withoutTimes(stopped), `stopped-${name}`);
  });
});

test('no expected screen is left over', () => {
  expect(readdirSync(EXPECTED).filter((file) => !compared.has(file))).toEqual([]);
});
