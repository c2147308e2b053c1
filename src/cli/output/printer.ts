// A run on the screen: events as JSON lines, as text lines, or as a picture that is drawn again where the terminal can.
import type { Plan } from '../../plan/plan.ts';
import type { Report } from '../../report/run-report.ts';
import { RunFold } from '../../run/run-state.ts';
import { renderJsonLine, renderLines } from '../../view/lines.ts';
import type { Io } from '../io.ts';
import type { RunOutput } from './output.ts';

interface PrinterOptions {
  readonly output: 'text' | 'json';
  readonly quiet?: boolean;
  /** What the calendar says where the run is; how often the screen is drawn is a matter of this process. */
  readonly now?: () => number;
}

export async function createPrinter(
  io: Io,
  plan: Plan,
  options: PrinterOptions,
): Promise<RunOutput> {
  if (options.output === 'json') return jsonPrinter(io);
  const { renderReport } = await import('../../view/report-text.ts');
  const report = (finished: Report) => io.stdout(renderReport(finished));
  if (options.quiet) return { event: () => {}, report, close: () => {} };
  const now = options.now ?? io.clock.now;
  const drawn = io.screen() ? await screenPrinter(io, plan, now) : await linePrinter(io);
  return {
    ...drawn,
    report: (finished) => {
      drawn.close();
      report(finished);
    },
  };
}

function jsonPrinter(io: Io): RunOutput {
  const line = (value: unknown) => io.stdout(renderJsonLine(value));
  return { event: line, report: line, close: () => {} };
}

async function linePrinter(io: Io): Promise<Omit<RunOutput, 'report'>> {
  const { renderEvent } = await import('../../view/event-text.ts');
  return {
    event: (event) => {
      const text = renderEvent(event);
      if (text !== undefined) io.stderr(renderLines([text]));
    },
    close: () => {},
  };
}

const REDRAW_MS = 500;

async function screenPrinter(
  io: Io,
  plan: Plan,
  now: () => number,
): Promise<Omit<RunOutput, 'report'>> {
  const [{ renderProgress }, { renderEvent }] = await Promise.all([
    import('../../view/progress-text.ts'),
    import('../../view/event-text.ts'),
  ]);
  const fold = new RunFold();
  const end = new AbortController();
  let drawn = 0;
  const erase = () => (drawn > 0 ? `\u001b[${drawn}A\u001b[0J` : '');
  const draw = (above = '') => {
    const screen = io.screen() ?? { columns: 80, rows: 24 };
    const lines = renderProgress(plan, fold.state, { now: now(), ...screen });
    io.stderr(`${erase()}${above}${renderLines(lines)}`);
    drawn = lines.length;
  };
  const redraw = async () => {
    while (!end.signal.aborted) {
      draw();
      await io.clock.sleep(REDRAW_MS, end.signal);
    }
  };
  void redraw();
  return {
    event: (event) => {
      fold.add(event);
      const lasting = event.type !== 'node.waiting' && event.type !== 'hold.changed';
      const text = lasting ? renderEvent(event) : undefined;
      if (text !== undefined) draw(renderLines([text]));
    },
    close: () => {
      if (end.signal.aborted) return;
      end.abort();
      io.stderr(erase());
      drawn = 0;
    },
  };
}
