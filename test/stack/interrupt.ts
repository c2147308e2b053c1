// One signal for the whole command: Ctrl-C ends waits and child programs, and the command then tidies up.

export const interrupted = new AbortController();
