// The part of WebAssembly that is used here; TypeScript has it only together with all browser types.
declare namespace WebAssembly {
  class Module {
    private constructor();
    static imports(module: Module): { readonly module: string; readonly name: string }[];
  }
  class Memory {
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  type Imports = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  class Instance {
    constructor(module: Module, imports: Imports);
    readonly exports: Readonly<Record<string, unknown>>;
  }
  function compile(bytes: Uint8Array): Promise<Module>;
}
