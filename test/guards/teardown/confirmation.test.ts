// What a teardown does at a terminal: only the platform's name confirms it, and what is refused cannot be confirmed.
import { readFileSync } from 'node:fs';
import { beforeAll, expect, test, vi } from 'vitest';
import { runCli } from '../../../src/cli/run-cli.ts';
import type { Target } from '../../../src/ports/target.ts';
import { caller, type Ended } from '../command-in-process.ts';
import { DeployedShop } from './deployed-shop.ts';

let reached: Target | undefined;
vi.mock('../../../src/targets/connect.ts', async (original) => ({
  ...(await original<object>()),
  connect: async () => reached,
}));

const FILES = { 'platform.yaml': readFileSync('test/goldens/fixtures/shop.yaml', 'utf8') };
/** What everything else depends on. */
const REFUSED = ['--scope', 'app:dns'];
/** What nothing depends on. */
const ALLOWED = ['--scope', 'app:site'];

let shop: DeployedShop;
let deletions: readonly string[];
let asked: string[] = [];
let teardown: (args: readonly string[], answer?: string) => Promise<Ended>;
beforeAll(async () => {
  shop = await DeployedShop.synced();
  deletions = shop.deletions();
  const { target, participant } = await shop.until(shop.connect('terminal'));
  reached = target;
  const { time } = shop.rehearsal;
  const advance = (ms: number) => time.advance(ms);
  const call = caller({ clock: participant.clock, files: FILES, advance });
  teardown = async (args, answer) => {
    asked = [];
    return await call(runCli, ['teardown', '--quiet', ...args], {
      ask: async (question) => {
        asked.push(question);
        return answer;
      },
    });
  };
}, 60_000);

test('a dry run of what is refused says so with its exit status', async () => {
  const refused = await teardown([...REFUSED, '--dry-run']);
  expect([refused.status, refused.stdout]).toEqual([2, expect.stringContaining('still exists')]);
  expect((await teardown([...ALLOWED, '--dry-run'])).status).toBe(0);
});

test('what is refused is not asked about, whatever would be typed', async () => {
  const ended = await teardown(REFUSED, 'shop');
  expect([ended.status, ended.stderr]).toEqual([1, expect.stringContaining('teardown-refused')]);
  expect([asked, deletions]).toEqual([[], []]);
});

test.each(['', 'y', 'yes', 'Shop', 'site', 'shop '])('typed %j, nothing goes', async (answer) => {
  const ended = await teardown(ALLOWED, answer);
  expect([ended.status, ended.stderr]).toEqual([
    3,
    expect.stringContaining('error[teardown-unconfirmed]: The teardown was not confirmed.'),
  ]);
  expect([asked, deletions]).toEqual([['Type "shop" to confirm: '], []]);
});

test('the name of the platform confirms it', async () => {
  const ended = await teardown(ALLOWED, 'shop');
  expect([ended.status, deletions]).toEqual([0, ['site']]);
});
