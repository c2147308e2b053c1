// A label selector on generated parameters.
import { meets } from '../../model/label-selector.ts';
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

/** What no selector of Kubernetes has holds for what is absent. */
function holds({ operator, values }: Parameters, value: string | undefined): boolean {
  const known = OPERATORS.find((one) => one === operator) ?? 'DoesNotExist';
  const among = Array.isArray(values) ? values.map(String) : [];
  return meets({ key: '', operator: known, values: among }, value);
}

const OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist'] as const;

function textAt(parameters: Parameters, key: string): string | undefined {
  const value = Object.hasOwn(parameters, key) ? parameters[key] : undefined;
  return value === undefined ? undefined : String(value);
}
