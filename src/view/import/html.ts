// Markup without surprises: any text is shown, and never read as markup.
import { printable } from '../lines.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' },
};

/** For text and for the values of attributes in quotes. */
export const escapeHtml = (text: string): string =>
  printable(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

type Attributes = Readonly<Record<string, string | number | undefined>>;

/** `inside` is markup already. */
export function tag(name: string, attributes: Attributes, ...inside: readonly string[]): string {
  const given = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escapeHtml(String(value))}"`],
  );
  return `<${name}${given.join('')}>${inside.join('')}</${name}>`;
}

export const text = (name: string, content: string, attributes: Attributes = {}): string =>
  tag(name, attributes, escapeHtml(content));
