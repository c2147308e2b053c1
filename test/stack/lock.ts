// One command at a time changes the stack. The lock is a socket without a file: the kernel gives it to one process and
// takes it back when that process ends, however it ends.

import { createServer } from 'node:net';
import { Failure } from './failure.ts';

const ADDRESS = '\0tiphys-stack';

export async function withLock<T>(work: () => Promise<T>): Promise<T> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(ADDRESS, resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new Failure('another command is changing the stack right now; wait until it has ended');
  });
  try {
    return await work();
  } finally {
    server.close();
  }
}
