// Tables that are looked up by text from outside: "constructor" and "toString" are in none of them.

export function lookUp<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
