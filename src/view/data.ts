// Values as JSON and YAML text, for programs.
import { dump } from 'js-yaml';
import { printable } from './lines.ts';

export { renderJson } from './lines.ts';

/** The same of what others wrote: YAML would print characters that act on a terminal. */
export function renderForeignYaml(value: unknown): string {
  const shown = (_: string, one: unknown) => (typeof one === 'string' ? printable(one) : one);
  return renderYaml(JSON.parse(JSON.stringify(value), shown));
}

export function renderYaml(value: unknown, { sortKeys = false } = {}): string {
  return dump(value, { noRefs: true, lineWidth: -1, sortKeys });
}
