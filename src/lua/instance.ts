// An instance of the module: requests and answers pass through its memory.
import type { LuaAnswer, LuaRequest } from '../health/lua.ts';
import { createSystem, ExitError } from './system.ts';

interface Exports {
  readonly memory: WebAssembly.Memory;
  readonly _initialize: () => void;
  /** Allocates this many bytes, and returns the address. */
  readonly request: (size: number) => number;
  /** The size of the answer in bytes. */
  readonly run: () => number;
  /** The address of the answer. */
  readonly answer: () => number;
}

export interface Instance {
  readonly ask: (request: LuaRequest) => LuaAnswer;
  /** Why `ask` threw. The instance is unusable after that. */
  readonly explain: (error: unknown) => string;
}

export function createInstance(module: WebAssembly.Module): Instance {
  const system = createSystem(() => exports.memory.buffer);
  const { exports } = new WebAssembly.Instance(module, system.importsOf(module)) as unknown as {
    exports: Exports;
  };
  exports._initialize();
  return {
    ask: (request) => {
      const bytes = new TextEncoder().encode(JSON.stringify(request));
      const at = exports.request(bytes.length);
      new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
      const size = exports.run();
      const answer = new Uint8Array(exports.memory.buffer, exports.answer(), size);
      return JSON.parse(new TextDecoder().decode(answer));
    },
    explain: (error) => explain(error, system.printed()),
  };
}

function explain(error: unknown, printed: string): string {
  if (/out of memory|cannot allocate memory/.test(printed)) {
    return 'It needs more than 128 MB of memory. Build shorter texts and smaller tables.';
  }
  if (error instanceof RangeError || printed.includes('stack overflow')) {
    return 'It nests too deeply. Write it, and what it returns, with fewer levels.';
  }
  if (error instanceof ExitError && printed === '') {
    return 'It calls os.exit, which would end Argo CD. Return a status instead.';
  }
  const [reason] = printed.split('\n');
  return `The interpreter stopped: ${reason || String(error)}. Remove the last call of the check.`;
}
