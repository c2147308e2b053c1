// The operating system that the module expects (WASI preview 1). Only the clock and random numbers are real: there are no arguments, no
// environment and no files, so a script can access nothing but its object. Node's own implementation would open files, and its
// documentation says that it is not a sandbox.
import { webcrypto } from 'node:crypto';

const SUCCESS = 0;
const BAD_FILE = 8;
const [REALTIME, STDERR] = [0, 2];
const EVENT_BYTES = 32;
const VECTOR_BYTES = 8;
const PRINTED_MAX = 10_000;

/** Thrown through the module, which ends there. */
export class ExitError extends Error {}

type SystemCall = (...values: never[]) => number;

interface System {
  readonly importsOf: (module: WebAssembly.Module) => WebAssembly.Imports;
  /** What was written to standard error: Go's runtime prints there why it ends. */
  readonly printed: () => string;
}

export function createSystem(memory: () => ArrayBuffer): System {
  let printed = '';
  const setNumber = (at: number, value: number) =>
    new DataView(memory()).setUint32(at, value, true);
  const none = (countAt: number, bytesAt: number) => {
    setNumber(countAt, 0);
    setNumber(bytesAt, 0);
    return SUCCESS;
  };
  const calls: Record<string, SystemCall> = {
    args_sizes_get: none,
    args_get: () => SUCCESS,
    environ_sizes_get: none,
    environ_get: () => SUCCESS,
    sched_yield: () => SUCCESS,
    clock_time_get: (clock: number, _precision: bigint, at: number) => {
      const ms = clock === REALTIME ? Date.now() : performance.now();
      new DataView(memory()).setBigUint64(at, BigInt(Math.round(ms * 1e6)), true);
      return SUCCESS;
    },
    random_get: (at: number, size: number) => {
      webcrypto.getRandomValues(new Uint8Array(memory(), at, size));
      return SUCCESS;
    },
    /** Every wait ends immediately: the caller reads the clock and asks again. */
    poll_oneoff: (_subscriptions: number, events: number, count: number, countAt: number) => {
      new Uint8Array(memory(), events, count * EVENT_BYTES).fill(0);
      setNumber(countAt, count);
      return SUCCESS;
    },
    fd_write: (file: number, vectors: number, count: number, writtenAt: number) => {
      const written = textIn(memory(), vectors, count);
      if (file === STDERR) printed = (printed + written.text).slice(0, PRINTED_MAX);
      setNumber(writtenAt, written.bytes);
      return SUCCESS;
    },
    proc_exit: () => {
      throw new ExitError();
    },
  };
  const importsOf = (module: WebAssembly.Module) => {
    const names = WebAssembly.Module.imports(module).map(({ name }) => name);
    const wanted = names.map((name) => [name, calls[name] ?? (() => BAD_FILE)]);
    return { wasi_snapshot_preview1: Object.fromEntries(wanted) };
  };
  return { importsOf, printed: () => printed };
}

/** `count` pairs of address and size. */
function textIn(memory: ArrayBuffer, vectors: number, count: number) {
  const view = new DataView(memory);
  let [text, bytes] = ['', 0];
  for (let at = vectors; at < vectors + count * VECTOR_BYTES; at += VECTOR_BYTES) {
    const size = view.getUint32(at + 4, true);
    text += new TextDecoder().decode(new Uint8Array(memory, view.getUint32(at, true), size));
    bytes += size;
  }
  return { text, bytes };
}
