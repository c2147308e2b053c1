// Argo CD's Lua as a function: requests go to a thread one by one; the thread is terminated when it takes too long, and reused otherwise.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { brotliDecompress } from 'node:zlib';
import type { Lua, LuaAnswer, LuaRequest } from '../health/lua.ts';
import type { Clock } from '../ports/clock.ts';

/** Argo CD stops a check after 1 s, but is faster than WebAssembly. */
const LIMIT_MS = 1200;
const LATE =
  'It ran longer than 1.2 s. Argo CD stops a check after 1 s: shorten loops, patterns and texts.';

interface Options {
  /** Where lua/engine.wasm.br is. */
  readonly engine: string;
  /** Where worker.ts is, compiled. */
  readonly worker: string;
  readonly sleep: Clock['sleep'];
}

export function createLua({ engine, worker: file, sleep }: Options): Lua {
  const module = compile(engine);
  let worker: Worker | undefined;
  let previous: Promise<unknown> = Promise.resolve();

  async function start(): Promise<Worker> {
    const started = new Worker(file, { workerData: await module });
    await once(started, 'message');
    return started;
  }

  async function run(request: LuaRequest): Promise<LuaAnswer> {
    worker ??= await start();
    // While it is idle the process may exit.
    worker.ref();
    const done = new AbortController();
    const { signal } = done;
    const answered = once(worker, 'message', { signal }).then(([answer]) => answer as LuaAnswer);
    worker.postMessage(request);
    const late = sleep(LIMIT_MS, signal).then(() => ({ stop: LATE }));
    const outcome = await Promise.race([answered, late]).catch(broken);
    done.abort();
    answered.catch(() => {});
    worker.unref();
    if (!('stop' in outcome)) return outcome;
    await worker.terminate();
    worker = undefined;
    return { error: outcome.stop };
  }

  return (request) => {
    const answer = previous.then(() => run(request));
    previous = answer.catch(() => {});
    return answer;
  };
}

/** The thread has ended. */
function broken({ message }: Error): { readonly stop: string } {
  return { stop: `The interpreter stopped: ${message}. Remove the last call of the check.` };
}

async function compile(file: string): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await promisify(brotliDecompress)(await readFile(file)));
}
