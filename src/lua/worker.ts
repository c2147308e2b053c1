// The thread that scripts run in. It begins here, and is ended from outside.
import { parentPort, workerData } from 'node:worker_threads';
import type { LuaAnswer, LuaRequest } from '../health/lua.ts';
import { createInstance, type Instance } from './instance.ts';

/** A script that took more leaves its instance behind: the next one has all the memory that it may have. */
const KEPT_BYTES_MAX = 64 * 1024 * 1024;

const module: WebAssembly.Module = workerData;
let instance = create();

/** What compiles at its first call does so now, not at the cost of the first script. */
function create(): Instance {
  const created = createInstance(module);
  created.ask({ script: 'return {}', object: '{}', openLibs: true });
  return created;
}

function answerTo(request: LuaRequest): LuaAnswer {
  let broken = true;
  try {
    const answer = instance.ask(request);
    broken = false;
    return answer;
  } catch (error) {
    return { error: instance.explain(error) };
  } finally {
    if (broken || instance.bytes() > KEPT_BYTES_MAX) instance = create();
  }
}

parentPort?.on('message', (request: LuaRequest) => parentPort?.postMessage(answerTo(request)));
parentPort?.postMessage('ready');
