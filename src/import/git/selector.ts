// A label selector on generated parameters.
import { isFields } from './documents.ts';
import type { Parameters } from './template.ts';

export function selects(selector: unknown, parameters: Parameters): boolean {
  if (!isFields(selector)) return true;
  const labels = isFields(selector.matchLabels) ? Object.entries(selector.matchLabels) : [];
  const rules = Array.isArray(selector.matchExpressions) ? selector.matchExpressions : [];
  return (
    labels.every(([key, value]) => textAt(parameters, key) === String(value)) &&
    rules.filter(isFields).every((rule) => holds(rule, textAt(parameters, String(rule.key))))
  );
}

function holds({ operator, values }: Parameters, value: string | undefined): boolean {
  const among = value !== undefined && Array.isArray(values) && values.map(String).includes(value);
  if (operator === 'In') return among;
  if (operator === 'NotIn') return !among;
  return operator === 'Exists' ? value !== undefined : value === undefined;
}

function textAt(parameters: Parameters, key: string): string | undefined {
  const value = Object.hasOwn(parameters, key) ? parameters[key] : undefined;
  return value === undefined ? undefined : String(value);
}
