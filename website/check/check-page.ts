// One page in the browser: what it complains about, what it asks other servers for, and where its links lead.
import type { Page } from 'playwright-core';
import { fileOf, type Site } from './serve.ts';

export async function problemsOf(page: Page, url: string, site: Site): Promise<string[]> {
  const problems: string[] = [];
  const { origin } = new URL(url);
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`the console says: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`an error of a script: ${error.message}`));
  page.on('request', (request) => {
    const { protocol, origin: to } = new URL(request.url());
    if (protocol !== 'data:' && to !== origin) problems.push(`asks ${request.url()}`);
  });
  await page.goto(url, { waitUntil: 'load' });
  if (!url.endsWith('/planted.html')) await page.waitForFunction(isAlive);
  const links = await page.$$eval('a[href]', (all) =>
    all.map((a) => (a as HTMLAnchorElement).href),
  );
  return [...problems, ...brokenLinks(links, origin, site)];
}

/** The page works, and is not only shown. */
const isAlive = () => '__vue_app__' in (document.querySelector('#app') ?? {});

function brokenLinks(links: readonly string[], origin: string, site: Site): string[] {
  return [...new Set(links)].flatMap((link) => {
    const { origin: to, pathname, hash } = new URL(link);
    if (to !== origin) return [];
    const target = site.get(fileOf(pathname));
    if (!target) return [`a link to ${pathname}, which is not there`];
    if (hash === '') return [];
    const id = decodeURIComponent(hash.slice(1));
    return idsOf(target).has(id) ? [] : [`a link to ${pathname}${hash}, which has no such heading`];
  });
}

const known = new Map<Uint8Array, Set<string>>();

function idsOf(target: Uint8Array): Set<string> {
  const ids =
    known.get(target) ??
    new Set([...`${target}`.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id));
  known.set(target, ids);
  return ids;
}
