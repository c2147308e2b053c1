// The anchor of a heading, as GitHub makes it, so that links work there and on the site.

/** Headings of one page in their order; equal ones are numbered. */
export function anchorsOf(headings: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return headings.map((heading) => {
    const slug = slugOf(heading);
    const before = seen.get(slug) ?? 0;
    seen.set(slug, before + 1);
    return before === 0 ? slug : `${slug}-${before}`;
  });
}

/** Letters, digits, `-` and `_` stay; what a link in the heading points to is no part of it. */
export const slugOf = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
