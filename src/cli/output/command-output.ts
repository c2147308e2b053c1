// Output of the command line: results on standard output, everything else on standard error; one JSON document a line with
// `-o json`.
import { renderBootstrapEvent } from '../../view/bootstrap-text.ts';
import { type Look, renderJson, renderJsonLine, renderLines, warning } from '../../view/lines.ts';
import { renderPreflight } from '../../view/preflight-text.ts';
import { nothingToDoText, submittedText } from '../../view/result-text.ts';
import { plural } from '../../view/table.ts';
import type { Io } from '../io.ts';
import { lookOn } from './look-on.ts';
import type { Output, OutputOptions, Result, RunOutput } from './output.ts';
import { createPrinter } from './printer.ts';

export function commandOutput(io: Io, options: OutputOptions): Output {
  const isJson = options.output === 'json';
  const { wide = false } = options;
  const isTold = !isJson && !options.quiet;
  let active: RunOutput | undefined;
  /** Above the progress of a run, which is redrawn. */
  const print: Output['notice'] = (notice) => {
    if (active) active.notice(notice);
    else io.stderr(renderLines([notice([])], lookOn(io, 'stderr')));
  };
  const tell = (text: string | undefined) => {
    if (isTold && text !== undefined) print(() => text);
  };
  return {
    forRun: async (plan) => {
      const printer = await createPrinter(io, plan, options);
      active = printer;
      const close = () => {
        printer.close();
        active = undefined;
      };
      return { ...printer, close };
    },
    bootstrapEvent: (event) => {
      if (isJson) io.stdout(renderJsonLine(event));
      else tell(renderBootstrapEvent(event));
    },
    preflight: (report) => {
      const { pass, warning, failure } = report.counts;
      if (isJson) io.stdout(renderJsonLine(report));
      else if (failure > 0) io.stderr(renderPreflight(report, lookOn(io, 'stderr')));
      else tell(`preflight: ${pass} passed, ${plural(warning, 'warning')}`);
    },
    result: async (result) =>
      io.stdout(isJson ? jsonOf(result) : await textOf(result, lookOn(io, 'stdout', { wide }))),
    note: tell,
    warn: (text) => print(() => warning(text)),
    notice: print,
  };
}

/** The result at the end of a stream of events is one line; a standalone result is indented. */
function jsonOf(result: Result): string {
  const isAlone = ['Validation', 'DryRun', 'Inventory'].includes(result.kind);
  return isAlone ? renderJson(result) : renderJsonLine(result);
}

async function textOf(result: Result, look: Look): Promise<string> {
  switch (result.kind) {
    case 'Report':
      return (await import('../../view/report-text.ts')).renderReport(result, { look });
    case 'Validation':
      return (await import('../../view/validation-text.ts')).renderValidation(result, look);
    case 'DryRun':
      return (await import('../../view/dry-run-text.ts')).renderDryRun(result, look);
    case 'Inventory':
      return (await import('../../view/inventory-text.ts')).renderInventory(result, {
        all: false,
        look,
      });
    case 'Bootstrap':
      return (await import('../../view/bootstrap-text.ts')).renderBootstrap(result, look);
    case 'Submitted':
      return renderLines([
        `${submittedText(result)}; follow it with \`tiphys status --watch\`, stop it with \`tiphys stop\``,
      ]);
    case 'NothingToDo':
      return renderLines([nothingToDoText(result)]);
  }
}
