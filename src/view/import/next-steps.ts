// What to do after an import: decide, then try the file.
import type { ImportReport } from '../../import/report/import-report.ts';
import { short } from './evidence-text.ts';

const FILE_MAX = 200;

/** The option that commands need for this file. */
export const fileOption = (file: string | null): string =>
  file === null || file === 'platform.yaml' ? '' : ` -f ${short(file, FILE_MAX)}`;

export function nextSteps(report: ImportReport): string[] {
  const where = fileOption(report.file);
  return [
    ...decisionSteps(report),
    'next: read it and edit it, then',
    `  tiphys plan${where}`,
    `  tiphys rehearse${where}`,
    `  tiphys validate${where}`,
    `  tiphys deploy --dry-run${where}`,
  ];
}

/** In the order of waves, suggestions are in no file. */
function decisionSteps({ edges, order }: ImportReport): string[] {
  const [first] = edges.filter(({ outcome }) => outcome === 'suggested');
  if (!first || order === 'waves') return [];
  const pair = `'${short(first.dependent, FILE_MAX)}->${short(first.dependency, FILE_MAX)}'`;
  return [
    'to decide on a suggestion: remove "# " in front of it, or import into another file',
    `  with --accept ${pair} or --reject ${pair}`,
  ];
}
