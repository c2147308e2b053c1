// How a container leaves one line for those who look at its pod.
import type { Io } from '../cli/io.ts';

const TERMINATION_LOG = '/dev/termination-log';
const MESSAGE_MAX = 400;

export function conclude(io: Io, message: string): void {
  if (io.exists(TERMINATION_LOG)) io.writeFile(TERMINATION_LOG, message.slice(0, MESSAGE_MAX));
}
