// The sidebar is docs/index.md: one table of contents for people, wherever they read.

interface Item {
  readonly text: string;
  readonly link: string;
}

export interface Section {
  readonly text: string;
  readonly items: Item[];
}

export function sidebarOf(contents: string): Section[] {
  const [, ...sections] = contents.split(/^## /m);
  return sections.map((section) => ({
    text: section.split('\n')[0] ?? '',
    items: [...section.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, text = '', path = '']) => ({
      text,
      link: linkOf(path),
    })),
  }));
}

/** A path relative to docs/ as an address of the site. */
const linkOf = (path: string) =>
  new URL(path, 'site:/docs/').pathname.replace(/^\/README\.md$/, '/').replace(/\.md$/, '');
