// One signal for the whole command: Ctrl-C ends waits and child programs, and the command then tidies up.

import { Failure } from './failure.ts';

let controller = new AbortController();

export const interruption = (): AbortSignal => controller.signal;

/** Ends what goes on side by side once one part of it has failed. */
export function interrupt(reason: unknown): void {
  controller.abort(reason);
}

/** Makes Ctrl-C an ordinary failure, with the status that a shell expects of it. */
export function listenForInterruption(hint: string): void {
  for (const [name, status] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.on(name, () => controller.abort(new Failure(`interrupted; ${hint}`, status)));
  }
}

/** For the work that must be done after an interruption. */
export function forgetInterruption(): void {
  controller = new AbortController();
}
