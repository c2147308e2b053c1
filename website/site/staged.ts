// Which files are pages, and what is changed in them: only links to README.md of the root, which is the home page.
import { posix } from 'node:path';

export const PAGES =
  /^(?:[A-Z]+\.md|docs\/.*\.(?:md|svg|png)|(?:examples\/reference|test\/stack)\/README\.md)$/;

export const staged = (path: string, text: string): string =>
  text.replace(/(\]\()([^):\s]*README\.md)(?=[)#])/g, (link, open: string, target: string) =>
    posix.join(posix.dirname(path), target) === 'README.md'
      ? `${open}${target.replace('README.md', 'index.md')}`
      : link,
  );
