// The words of an unfinished line, as a shell passes them: with their quotes, and perhaps in pieces.

/** `'my dir/a.yaml'`, `my\ dir/a.yaml`, `~/a.yaml`. A quote may still be open. */
export function unquoted(word: string, home: string | undefined): string {
  if (word.startsWith("'")) return word.slice(1).replace(/'$/, '');
  if (word.startsWith('"')) return word.slice(1).replace(/"$/, '');
  const plain = word.replace(/\\(.)/g, '$1');
  return home !== undefined && plain.startsWith('~/') ? home + plain.slice(1) : plain;
}

/** Bash splits `--file=a.yaml` into three words. The last one counts. */
export function optionValue(
  words: readonly string[],
  names: readonly (string | undefined)[],
): string | undefined {
  let found: string | undefined;
  words.forEach((word, at) => {
    const [name = '', ...value] = word.split('=');
    if (!names.includes(name)) return;
    if (value.length > 0) found = value.join('=');
    else found = words[at + 1] === '=' ? words[at + 2] : words[at + 1];
  });
  return found || undefined;
}
