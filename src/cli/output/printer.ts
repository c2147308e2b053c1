// A run on the screen: events as JSON lines, as text lines, or as a frame that is redrawn if the terminal can.
import type { ShownPlan } from '../../plan/timed-plan.ts';
import type { Report } from '../../report/run-report.ts';
import { RunFold } from '../../run/run-state.ts';
import { eraseLines, renderJsonLine, renderLines, type Text } from '../../view/lines.ts';
import { renderWrapped } from '../../view/wrap.ts';
import type { Io } from '../io.ts';
import { lookOn } from './look-on.ts';
import type { OutputOptions, RunOutput } from './output.ts';

interface PrinterOptions {
  readonly output: OutputOptions['output'];
  readonly quiet?: boolean;
  /** Wall-clock time where the run is; the screen is redrawn by the time of this process. */
  readonly now?: () => number;
}

/** Where lines of progress go. */
type Progress = Pick<RunOutput, 'event' | 'close'> & { readonly print: (text: Text) => void };

export async function createPrinter(
  io: Io,
  plan: ShownPlan,
  options: PrinterOptions,
): Promise<RunOutput> {
  const fold = new RunFold();
  const { inProgress } = await import('../../view/progress-text.ts');
  const progress = await progressOf(io, plan, fold, options);
  return {
    event: (event) => {
      fold.add(event);
      progress.event(event);
    },
    notice: (text) => progress.print(text(inProgress(fold.state))),
    report: await reporter(io, progress, options),
    close: progress.close,
  };
}

async function progressOf(io: Io, plan: ShownPlan, fold: RunFold, options: PrinterOptions) {
  const say = (text: Text) => io.stderr(renderLines([text], lookOn(io, 'stderr')));
  if (options.output === 'json') {
    const event: RunOutput['event'] = (one) => io.stdout(renderJsonLine(one));
    return { event, print: say, close: () => {} };
  }
  if (options.quiet) return { event: () => {}, print: say, close: () => {} };
  const now = options.now ?? io.clock.now;
  return io.screen() ? await screenProgress(io, plan, fold, now) : await lineProgress(io);
}

async function reporter(io: Io, progress: Progress, { output }: PrinterOptions) {
  if (output === 'json') return (report: Report) => io.stdout(renderJsonLine(report));
  const { renderReport } = await import('../../view/report-text.ts');
  return (report: Report) => {
    progress.close();
    io.stdout(renderReport(report, { look: lookOn(io, 'stdout') }));
  };
}

async function lineProgress(io: Io): Promise<Progress> {
  const { EventLines } = await import('../../view/event-lines.ts');
  const lines = new EventLines();
  const print = (texts: readonly Text[]) => {
    if (texts.length > 0) io.stderr(renderWrapped(texts, lookOn(io, 'stderr')));
  };
  return {
    event: (event) => print(lines.add(event)),
    print: (text) => print([...lines.flush(), text]),
    close: () => print(lines.flush()),
  };
}

const REDRAW_MS = 500;

async function screenProgress(
  io: Io,
  plan: ShownPlan,
  fold: RunFold,
  now: () => number,
): Promise<Progress> {
  const [{ renderProgress }, { EventLines }] = await Promise.all([
    import('../../view/progress-text.ts'),
    import('../../view/event-lines.ts'),
  ]);
  // The frame shows what is waited for and what is on hold.
  const events = new EventLines(({ type }) => type !== 'node.waiting' && type !== 'hold.changed');
  const end = new AbortController();
  let drawn = 0;
  const draw = (above: readonly Text[] = []) => {
    const screen = io.screen() ?? { columns: 80, rows: 24 };
    const frame = renderProgress(plan, fold.state, { now: now(), ...screen });
    const look = lookOn(io, 'stderr');
    io.stderr(`${eraseLines(drawn)}${renderWrapped(above, look)}${renderLines(frame, look)}`);
    drawn = frame.length;
  };
  const redraw = async () => {
    while (!end.signal.aborted) {
      draw(events.flush());
      await io.clock.sleep(REDRAW_MS, end.signal);
    }
  };
  void redraw();
  return {
    event: (event) => {
      const lines = events.add(event);
      if (lines.length > 0) draw(lines);
    },
    print: (text) => {
      if (end.signal.aborted) io.stderr(renderWrapped([text], lookOn(io, 'stderr')));
      else draw([text]);
    },
    close: () => {
      if (end.signal.aborted) return;
      end.abort();
      io.stderr(`${eraseLines(drawn)}${renderWrapped(events.flush(), lookOn(io, 'stderr'))}`);
      drawn = 0;
    },
  };
}
