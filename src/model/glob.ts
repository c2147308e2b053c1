/** Whether a text matches a glob, in which `*` matches any text. Linear: no part of the text is read twice. */
export function matchesGlob(glob: string, text: string): boolean {
  // Most globs are names, and there are lists of a thousand.
  if (!glob.includes('*')) return glob === text;
  const [first = '', ...more] = glob.split('*');
  const last = more.pop() ?? '';
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of more) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
