// Label selectors: in the grammar of kubectl, and what each requirement of one asks of a label.
import { LABEL_SELECTOR_MAX } from './limits.ts';

export interface Requirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  readonly values: readonly string[];
}

export interface LabelSelector {
  /** As it was written. */
  readonly text: string;
  readonly requirements: readonly Requirement[];
}

type Labels = ReadonlyMap<string, string>;

export const selectsLabels = ({ requirements }: LabelSelector, labels: Labels): boolean =>
  requirements.every((one) => meets(one, labels.get(one.key)));

/** Undefined: there is no such label, which counts as another value. */
export function meets({ operator, values }: Requirement, value: string | undefined): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
  }
}

/** Undefined where it is none, or says nothing. */
export function parseLabelSelector(text: string): LabelSelector | undefined {
  if (text.length > LABEL_SELECTOR_MAX) return undefined;
  const requirements = partsOf(text).map((part) => requirementOf(part.trim()));
  if (requirements.includes(undefined)) return undefined;
  return { text, requirements: requirements as readonly Requirement[] };
}

/** Commas in parentheses part values. */
function partsOf(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth++;
    if (character === ')') depth--;
    if (character === ',' && depth === 0) parts.push('');
    else parts.push(`${parts.pop() ?? ''}${character}`);
  }
  return parts;
}

const EQUALITY = /^([^\s=!()]+)\s*(==|=|!=)\s*([^\s=!()]*)$/;
const SET = /^([^\s=!()]+)\s+(in|notin)\s*\(([^()]*)\)$/;
const PRESENCE = /^(!?)\s*([^\s=!()]+)$/;
const KEY = /^(?:[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9](?:[-\w.]*[A-Za-z0-9])?$/;
const VALUE = /^(?:[A-Za-z0-9](?:[-\w.]*[A-Za-z0-9])?)?$/;

function requirementOf(part: string): Requirement | undefined {
  const found = equality(part) ?? set(part) ?? presence(part);
  if (!found || !KEY.test(found.key)) return undefined;
  return found.values.every((value) => VALUE.test(value)) ? found : undefined;
}

function equality(part: string): Requirement | undefined {
  const [, key, sign, value = ''] = EQUALITY.exec(part) ?? [];
  return key === undefined
    ? undefined
    : { key, operator: sign === '!=' ? 'NotIn' : 'In', values: [value] };
}

function set(part: string): Requirement | undefined {
  const [, key, word, values = ''] = SET.exec(part) ?? [];
  if (key === undefined) return undefined;
  const all = values.split(',').map((value) => value.trim());
  return { key, operator: word === 'in' ? 'In' : 'NotIn', values: all };
}

function presence(part: string): Requirement | undefined {
  const [, not, key] = PRESENCE.exec(part) ?? [];
  return key === undefined
    ? undefined
    : { key, operator: not === '!' ? 'DoesNotExist' : 'Exists', values: [] };
}
