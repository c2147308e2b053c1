/** Also calls back if the signal was aborted before: for example while the run was starting. */
export function onAbort(signal: AbortSignal, action: () => void): void {
  if (signal.aborted) action();
  else signal.addEventListener('abort', action, { once: true });
}
