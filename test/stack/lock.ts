// One command at a time changes the stack. The lock is a socket without a file: the kernel gives it to one process and
// takes it back when that process ends, however it ends.

import { createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from './failure.ts';
import { interruption } from './interrupt.ts';

const ADDRESS = '\0tiphys-stack';

/** Does the work alone. Where another command is at work, it waits for that long, or is refused. */
export async function withLock<T>(work: () => Promise<T>, waitMs = 0): Promise<T> {
  const server = createServer();
  const end = performance.now() + waitMs;
  while (!(await listen(server))) {
    if (performance.now() >= end) {
      throw new Failure('another command is changing the stack right now; wait until it has ended');
    }
    interruption().throwIfAborted();
    await sleep(500);
  }
  try {
    return await work();
  } finally {
    server.close();
  }
}

/** False if another process listens already. */
function listen(server: Server): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const refused = (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error);
    server.once('error', refused);
    server.listen(ADDRESS, () => {
      server.off('error', refused);
      resolve(true);
    });
  });
}
