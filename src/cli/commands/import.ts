// tiphys import: from what Argo CD has to a platform file, with evidence for every dependency.
import { EXIT, type ExitStatus } from '../../errors.ts';
import type { ImportReport } from '../../import/report/import-report.ts';
import { renderJson } from '../../view/lines.ts';
import type { CommandSpec, Context } from '../command.ts';
import { checkOptions, IMPORT_OPTIONS, type ImportOptions } from '../import/import-options.ts';
import type { Io } from '../io.ts';
import type { Output } from '../output/output.ts';
import { refusePresent, writeNew } from '../output/write-files.ts';

export const importCommand: CommandSpec = {
  name: 'import',
  description:
    'Read what Argo CD has and propose a platform file: stacks, and dependencies with the evidence for each. Changes nothing in the cluster and overwrites no file. -f is the file to write, -o the form of the report.',
  examples: [
    ['tiphys import --from-cluster --name shop', 'write platform.yaml, print the report'],
    [
      'tiphys import --from-cluster -o html --report-file import.html',
      'the report as a page, with the graph',
    ],
    [
      "tiphys import --from-cluster -f new.yaml --accept 'web->db' --reject 'web->mail'",
      'decide on suggestions: import.yaml keeps it',
    ],
    [
      'tiphys import --from-cluster --order waves',
      'the order of the sync waves first; the report says what the evidence saves',
    ],
    [
      'tiphys import --from . --render --diff platform.yaml',
      'for a pipeline: does the file say what the evidence says?',
    ],
    ['tiphys import --manifests rendered/ -f -', 'of rendered manifests, to standard output'],
  ],
  statuses: {
    [EXIT.ok]: 'written; --diff: the file agrees with the evidence',
    [EXIT.failure]: 'no access to the cluster',
    [EXIT.partial]:
      'written, but something could not be read or written, or hard edges form a cycle; --diff: they differ',
  },
  options: IMPORT_OPTIONS,
  action: importAction,
};

const ANOTHER = 'Name another file (-f, --report-file), or remove this one.';
const STDOUT = '-';

async function importAction(context: Context, options: ImportOptions): Promise<ExitStatus> {
  const { io } = context;
  checkOptions(options);
  const isJson = options.output === 'json' && options.reportFile === undefined;
  const { quiet = false } = options;
  const output = await context.output({ output: isJson ? 'json' : 'text', quiet });
  if (options.diff !== undefined) return await compare(io, output, options, options.diff);
  const file = options.file ?? 'platform.yaml';
  refuse(io, options, file);
  const { propose } = await import('../import/propose-from.ts');
  const found = await propose(io, output, options, file);
  const { proposeFile } = await import('../import/propose-file.ts');
  const { text, report } = proposeFile({
    ...found,
    order: options.order,
    file: file === STDOUT ? undefined : file,
  });
  found.keepDecisions();
  if (file === STDOUT) io.stdout(text);
  else writeNew(io, file, text, ANOTHER);
  await tellReport(io, output, report, { ...options, file });
  return report.exitStatus;
}

/** Before anything is read: a long read must not end in a file that cannot be written. */
function refuse(io: Io, { reportFile }: ImportOptions, file?: string): void {
  const files = [file === STDOUT ? undefined : file, reportFile];
  refusePresent(
    io,
    files.flatMap((path) => (path === undefined ? [] : [{ path }])),
    ANOTHER,
  );
}

async function compare(
  io: Io,
  output: Output,
  options: ImportOptions,
  file: string,
): Promise<ExitStatus> {
  refuse(io, options);
  const { planFor } = await import('../input/planning.ts');
  const { environment } = options;
  const planned = await planFor(io, 'deploy', { file, environment });
  const { propose } = await import('../import/propose-from.ts');
  const found = await propose(io, output, options, file);
  const { diffFile } = await import('../import/diff-file.ts');
  const { text, exitStatus } = diffFile(io, planned, found, options);
  found.keepDecisions();
  if (options.reportFile === undefined) io.stdout(text);
  else writeNew(io, options.reportFile, text, ANOTHER);
  return exitStatus;
}

/** Standard output has one document: the file where that was asked for, else the report. */
async function tellReport(
  io: Io,
  output: Output,
  report: ImportReport,
  options: ImportOptions & { readonly file: string },
): Promise<void> {
  const { reportFile, file } = options;
  const { summaryText } = await import('../../view/import/summary-text.ts');
  if (reportFile !== undefined)
    writeNew(io, reportFile, await render(io, report, options), ANOTHER);
  else if (file !== STDOUT) io.stdout(await render(io, report, options));
  if (reportFile !== undefined || file === STDOUT) output.note(summaryText(report));
  // Not progress: --quiet keeps it. Beside a JSON report there is nothing.
  if (file === STDOUT || (options.output === 'json' && reportFile === undefined)) return;
  const { nextSteps } = await import('../../view/import/next-steps.ts');
  for (const line of [
    `wrote ${file}${reportFile === undefined ? '' : ` and ${reportFile}`}`,
    ...nextSteps(report),
  ])
    output.notice(() => line);
}

async function render(io: Io, report: ImportReport, options: ImportOptions): Promise<string> {
  switch (options.output) {
    case 'json':
      return renderJson(report);
    case 'html':
      return (await import('../../view/import/report-html.ts')).renderImportHtml(report);
    case 'text': {
      const { renderImportReport } = await import('../../view/import/import-report-text.ts');
      const columns = options.reportFile === undefined ? io.terminal('stdout')?.columns : undefined;
      return renderImportReport(report, columns);
    }
  }
}
