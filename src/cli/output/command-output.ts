// Output of the command line: results on standard output, everything else on standard error; one JSON document a line with
// `-o json`.
import { renderBootstrapEvent } from '../../view/bootstrap-text.ts';
import { renderJson, renderJsonLine, renderLines, renderWarning } from '../../view/lines.ts';
import { renderPreflight } from '../../view/preflight-text.ts';
import { nothingToDoText, submittedText } from '../../view/result-text.ts';
import { plural } from '../../view/table.ts';
import type { Io } from '../io.ts';
import type { Output, OutputOptions, Result } from './output.ts';
import { createPrinter } from './printer.ts';

export function commandOutput(io: Io, options: OutputOptions): Output {
  const isJson = options.output === 'json';
  const isTold = !isJson && !options.quiet;
  const tell = (text: string | undefined) => {
    if (isTold && text !== undefined) io.stderr(renderLines([text]));
  };
  return {
    forRun: (plan) => createPrinter(io, plan, options),
    bootstrapEvent: (event) => {
      if (isJson) io.stdout(renderJsonLine(event));
      else tell(renderBootstrapEvent(event));
    },
    preflight: (report) => {
      const { pass, warning, failure } = report.counts;
      if (isJson) io.stdout(renderJsonLine(report));
      else if (failure > 0) io.stderr(renderPreflight(report));
      else tell(`preflight: ${pass} pass, ${plural(warning, 'warning')}`);
    },
    result: async (result) => io.stdout(isJson ? jsonOf(result) : await textOf(result)),
    note: tell,
    warn: (text) => io.stderr(renderWarning(text)),
  };
}

/** What ends a stream of events is a line of it; a result that stands alone is laid out for reading. */
function jsonOf(result: Result): string {
  const isAlone = ['Validation', 'DryRun', 'Inventory'].includes(result.kind);
  return isAlone ? renderJson(result) : renderJsonLine(result);
}

async function textOf(result: Result): Promise<string> {
  switch (result.kind) {
    case 'Report':
      return (await import('../../view/report-text.ts')).renderReport(result);
    case 'Validation':
      return (await import('../../view/validation-text.ts')).renderValidation(result);
    case 'DryRun':
      return (await import('../../view/dry-run-text.ts')).renderDryRun(result);
    case 'Inventory':
      return (await import('../../view/inventory-text.ts')).renderInventory(result, { all: false });
    case 'Bootstrap':
      return (await import('../../view/bootstrap-text.ts')).renderBootstrap(result);
    case 'Submitted':
      return renderLines([
        `${submittedText(result)}; follow it with \`tiphys status --watch\`, end it with \`tiphys stop\``,
      ]);
    case 'NothingToDo':
      return renderLines([nothingToDoText(result)]);
  }
}
