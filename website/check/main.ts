// `npm run docs:check`: the built site in a browser, and the man pages in groff. The last line is 'N passed, M failed'.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';
import { problemsOf } from './check-page.ts';
import { manPages, manProblems } from './man-pages.ts';
import { readSite, serve } from './serve.ts';

const PROGRAM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];
const PATIENCE_MS = 60_000;

/** Each of these must be found, or the check does not check. */
const PLANTED = `<a href="/none.html">a</a><a href="#none">b</a><img src="http://127.0.0.2:9/x.png">
<script>console.error("planted"); setTimeout(() => { throw new Error("thrown"); })</script>`;
const FOUND = [
  '/none.html, which',
  '#none, which',
  'asks http://127.0.0.2',
  'says: planted',
  'thrown',
];

const site = new Map(readSite('website/dist'));
site.set('/planted.html', Buffer.from(PLANTED));
const { address, close } = await serve(site);
const profile = mkdtempSync(join(tmpdir(), 'tiphys-site-'));
const context = await chromium.launchPersistentContext(profile, {
  executablePath: PROGRAM,
  args: FLAGS,
  viewport: { width: 1280, height: 900 },
});
context.setDefaultTimeout(PATIENCE_MS);

let passed = 0;
let failed = 0;

async function check(title: string, look: () => Promise<readonly string[]>): Promise<void> {
  const problems = await look().catch((error: Error) => [error.message]);
  if (problems.length === 0) passed += 1;
  else failed += 1;
  for (const problem of problems) console.log(` FAIL ${title}\n${problem}`);
}

async function onPage<T>(
  work: (page: Awaited<ReturnType<BrowserContext['newPage']>>) => Promise<T>,
) {
  const page = await context.newPage();
  try {
    return await work(page);
  } finally {
    await page.close();
  }
}

const NO_PAGES = ['/planted.html', '/404.html'];
const pages = [...site.keys()].filter((path) => path.endsWith('.html') && !NO_PAGES.includes(path));
for (const path of pages) {
  await check(path, () => onPage((page) => problemsOf(page, `${address}${path}`, site)));
}

await check('planted problems', () =>
  onPage(async (page) => {
    const problems = await problemsOf(page, `${address}/planted.html`, site);
    return FOUND.filter((one) => !problems.some((problem) => problem.includes(one))).map(
      (one) => `"${one}" was not found`,
    );
  }),
);

await check('a search for degradedGrace finds docs/files', () =>
  onPage(async (page) => {
    await page.goto(address);
    await page.click('.VPNavBarSearch button');
    await page.fill('.VPLocalSearchBox input', 'degradedGrace');
    await page.waitForSelector('.VPLocalSearchBox .result');
    const found = await page.$$eval('.VPLocalSearchBox .result', (all) =>
      all.map((one) => one.getAttribute('href') ?? ''),
    );
    return found.some((href) => href.startsWith('/docs/files')) ? [] : [`it found ${found}`];
  }),
);

for (const [scheme, isShown] of [
  ['light', (sum: number) => sum > 600],
  ['dark', (sum: number) => sum < 200],
] as const) {
  await check(`${scheme} where the reader's system is ${scheme}`, () =>
    onPage(async (page) => {
      await page.emulateMedia({ colorScheme: scheme });
      await page.goto(`${address}/docs/guides/failure.html`);
      const colour = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const sum = (colour.match(/\d+/g) ?? [])
        .slice(0, 3)
        .reduce((all, one) => all + Number(one), 0);
      const shots = process.env.SCREENSHOTS;
      if (shots) await page.screenshot({ path: join(shots, `${scheme}.png`) });
      return isShown(sum) ? [] : [`its background is ${colour}`];
    }),
  );
}

for (const [path, text] of manPages()) await check(path, async () => manProblems(text));
await check('a planted macro', async () =>
  manProblems('.TH X 1\n.XYZ odd\n').some((said) => said.includes('XYZ')) ? [] : ['was not found'],
);

await context.close();
close();
rmSync(profile, { recursive: true, force: true });
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
