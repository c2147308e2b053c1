// What health checks need of the Lua that Argo CD runs: a request and its answer. `src/lua/` runs it, in a thread of its own.

export interface Health {
  /** Empty where the check returned nothing: Argo CD then counts the resource for nothing. */
  readonly status: string;
  readonly message: string;
}

export type LuaRequest =
  /** The text of a health_test.yaml: which cases it has. */
  | { readonly cases: string }
  /** Whether a script can be compiled. */
  | { readonly script: string }
  /** What a script says of an object, which is given as YAML. */
  | { readonly script: string; readonly object: string; readonly openLibs: boolean };

export interface LuaAnswer {
  readonly cases?: readonly { readonly inputPath: string; readonly healthStatus: Health }[];
  readonly health?: Health;
  readonly error?: string;
}

export type Lua = (request: LuaRequest) => Promise<LuaAnswer>;
