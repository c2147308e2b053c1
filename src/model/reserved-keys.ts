// Keys that files must not have.
import type { Path, Problem } from './positions.ts';

/** `__proto__` as a key: harmless to our parser, but no honest file has it, and other programs fail on it. */
export function reservedKeys(text: string, value: unknown): Problem[] {
  const found: Problem[] = [];
  const search = (node: unknown, path: Path): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, child] of Object.entries(node)) {
      const childPath = [...path, Array.isArray(node) ? Number(key) : key];
      if (key === '__proto__') found.push(reservedKey(childPath));
      else search(child, childPath);
    }
  };
  // Escapes in double quotes can hide it.
  if (text.includes('__proto__') || text.includes('\\')) search(value, []);
  return found;
}

function reservedKey(path: Path): Problem {
  const hint = 'Remove it.';
  return { code: 'key-reserved', message: 'A key must not be "__proto__".', hint, path, key: true };
}
