// Values as JSON and YAML text, for programs.
import { dump } from 'js-yaml';

export function renderJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

export function renderYaml(value: unknown): string {
  return dump(value, { noRefs: true, lineWidth: -1 });
}
