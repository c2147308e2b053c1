// The defaults of options as text.
import { quote } from '../model/names.ts';
import type { DefaultEntry, Defaults } from '../report/defaults.ts';
import type { DefaultSource } from '../report/where.ts';
import { type Look, PLAIN, renderLines, renderParts } from './lines.ts';
import { renderTable } from './table.ts';

export function renderDefaults(
  { configFile, options, variables }: Defaults,
  look: Look = PLAIN,
): string {
  return renderParts([
    renderLines([`Config file: ${configFile ?? 'none'}`], look),
    renderTable(['OPTION', 'VALUE', 'SOURCE', 'VARIABLE'], options.map(row), {
      look,
      shorten: ['VALUE'],
    }),
    renderTable(
      ['OTHER VARIABLE', 'VALUE', 'MEANING'],
      variables.map(({ name, value, meaning }) => [name, value ?? '-', meaning]),
      { look, shorten: ['MEANING'] },
    ),
  ]);
}

const row = ({ option, variable, value, source }: DefaultEntry): string[] => [
  option,
  value === null ? '-' : String(value),
  source === null ? 'default' : sourceText(source),
  variable,
];

/** TIPHYS_CONTEXT, config file "ci.yaml" */
export const sourceText = (source: DefaultSource): string =>
  'variable' in source ? source.variable : `config file ${quote(source.file)}`;
