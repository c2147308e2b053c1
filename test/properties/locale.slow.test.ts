// The command prints the same bytes in every locale and time zone.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { dump } from 'js-yaml';
import { describe, expect, test, vi } from 'vitest';
import { FULL } from './full-platform.ts';

vi.setConfig({ testTimeout: 60_000 });

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Turkish has its own i, Estonian sorts z before t. */
const LOCALES = ['C', 'tr_TR.UTF-8', 'et_EE.UTF-8'];
/** Half and quarter hours, on both sides of Greenwich. */
const ZONES = ['UTC', 'Asia/Kathmandu', 'America/St_Johns'];
type Place = readonly [locale: string, zone: string];
const PLACES = LOCALES.flatMap((locale) => ZONES.map((zone): Place => [locale, zone]));
/** Each locale and each zone once, for what need not be tried nine times. */
const FEW = LOCALES.map((locale, at): Place => [locale, ZONES[at] ?? '']);

function run(args: readonly string[], [locale, zone]: Place, input = ''): string {
  const env = { PATH: process.env.PATH, LC_ALL: locale, LANG: locale, TZ: zone };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, env, input });
  expect([status, String(stderr)]).toEqual([0, '']);
  return String(stdout);
}

const plan = (file: string, place: Place, input?: string) =>
  run(['dist/main.js', 'plan', '-f', file, '-o', 'json'], place, input);

describe('in every locale and time zone', () => {
  test('Node sorts, writes and tells the time differently, or the rest would prove nothing', () => {
    const script = `console.log(['z', 't'].sort((a, b) => a.localeCompare(b)).join(''),
      (1.5).toLocaleString(), new Date(0).getHours(), new Date(0).getMinutes())`;
    expect(new Set(FEW.map((place) => run(['-e', script], place).split(' ')[0])).size).toBe(2);
    expect(new Set(FEW.map((place) => run(['-e', script], place))).size).toBe(3);
  });

  test('the command is built', () => {
    expect(existsSync(`${root}/dist/main.js`), 'dist/main.js is missing: npm run build').toBe(true);
  });

  test('the plan of the reference platform is the same', () => {
    const plans = PLACES.map((place) => plan('examples/reference/platform.yaml', place));
    for (const [at, text] of plans.entries()) expect(text, PLACES[at]?.join(' ')).toBe(plans[0]);
  });

  test('the plan of names that locales sort differently is the same', () => {
    const plans = FEW.map((place) => plan('-', place, dump(FULL)));
    for (const [at, text] of plans.entries()) expect(text, FEW[at]?.join(' ')).toBe(plans[0]);
  });
});
