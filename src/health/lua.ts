// What health checks need from Argo CD's Lua: a request and its answer. `src/lua/` runs it in a separate thread.

export interface Health {
  /** Empty if the check returned nothing: Argo CD then ignores the resource. */
  readonly status: string;
  readonly message: string;
}

export type LuaRequest =
  /** The text of a health_test.yaml: lists its cases. */
  | { readonly cases: string }
  /** Whether a script can be compiled. */
  | { readonly script: string }
  /** The result of a script for an object, which is given as YAML. */
  | { readonly script: string; readonly object: string; readonly openLibs: boolean };

export interface LuaAnswer {
  readonly cases?: readonly { readonly inputPath: string; readonly healthStatus: Health }[];
  readonly health?: Health;
  readonly error?: string;
}

export type Lua = (request: LuaRequest) => Promise<LuaAnswer>;
