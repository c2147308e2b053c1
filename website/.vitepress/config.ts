// The documentation site: the documents of the repository as they are, with a search that needs no other server.
import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import { plainOutput } from '../site/plain-output.ts';
import { sidebarOf } from '../site/sidebar.ts';
import { slugOf } from '../slug.ts';

const contents = readFileSync(new URL('../../docs/index.md', import.meta.url), 'utf8');

export default defineConfig({
  title: 'Tiphys',
  description: 'Deploy, validate and tear down a platform of Argo CD Applications in order.',
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  srcDir: 'staging',
  outDir: 'dist',
  cacheDir: 'node_modules/.cache/vitepress',
  markdown: { anchor: { slugify: slugOf }, codeTransformers: [plainOutput] },
  themeConfig: {
    nav: [
      { text: 'Contents', link: '/docs/' },
      { text: 'First deployment', link: '/docs/guides/first-deployment' },
      { text: 'Commands', link: '/docs/commands/tiphys' },
    ],
    sidebar: sidebarOf(contents),
    outline: [2, 3],
    search: { provider: 'local' },
  },
});
