// The thread that runs scripts. It starts here, and is terminated from outside.
import { parentPort, workerData } from 'node:worker_threads';
import type { LuaAnswer, LuaRequest } from '../health/lua.ts';
import { createInstance, type Instance } from './instance.ts';

const module: WebAssembly.Module = workerData;
let instance = create();

/** Compiles everything now that would otherwise be compiled during the first script. */
function create(): Instance {
  const created = createInstance(module);
  created.ask({ script: 'return {}', object: '{}', openLibs: true });
  return created;
}

function answerTo(request: LuaRequest): LuaAnswer {
  try {
    return instance.ask(request);
  } catch (error) {
    const reason = instance.explain(error);
    instance = create();
    return { error: reason };
  }
}

parentPort?.on('message', (request: LuaRequest) => parentPort?.postMessage(answerTo(request)));
parentPort?.postMessage('ready');
