// Values as JSON and YAML text, for programs.
import { dump } from 'js-yaml';

export { renderJson } from './lines.ts';

export function renderYaml(value: unknown): string {
  return dump(value, { noRefs: true, lineWidth: -1 });
}
