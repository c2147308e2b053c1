// Which variable a name means, while the script is read.
import { ScriptError } from './lexer.ts';
import type { Block, Capture, Cluster, FunctionBody, Variable } from './syntax.ts';

interface OpenBlock {
  readonly names: Map<string, Variable>;
  /** Jumps out of blocks inside, whose label may still come. */
  readonly jumps: { readonly label: string; readonly line: number }[];
  readonly loop: boolean;
}

/** A function that is being read. */
export class FunctionScope {
  readonly outer: FunctionScope | undefined;
  readonly variadic: boolean;
  readonly #captures: Capture[] = [];
  readonly #blocks: OpenBlock[] = [];
  #slots = 0;

  constructor(outer: FunctionScope | undefined, variadic: boolean) {
    this.outer = outer;
    this.variadic = variadic;
  }

  open(loop = false): void {
    this.#blocks.push({ names: new Map(), jumps: [], loop });
  }

  /** Jumps find their label in this block, or are left to the one around it. */
  close(block: Block): void {
    const closed = this.#blocks.pop();
    const labels = new Set<string>();
    for (const statement of block) {
      if (statement.kind !== 'label') continue;
      if (labels.has(statement.label)) {
        throw new ScriptError(statement.line, `the label "${statement.label}" is there twice`);
      }
      labels.add(statement.label);
    }
    for (const jump of closed?.jumps ?? []) {
      if (labels.has(jump.label)) continue;
      const around = this.#blocks.at(-1);
      if (!around) throw new ScriptError(jump.line, `there is no label "${jump.label}" to go to`);
      around.jumps.push(jump);
    }
  }

  jump(label: string, line: number): void {
    this.#blocks.at(-1)?.jumps.push({ label, line });
  }

  get inLoop(): boolean {
    return this.#blocks.some(({ loop }) => loop);
  }

  declare(name: string): Variable {
    const variable = { slot: this.#slots++, shared: false };
    this.#blocks.at(-1)?.names.set(name, variable);
    return variable;
  }

  resolve(name: string, line: number): Cluster {
    const variable = this.#local(name);
    if (variable) return { kind: 'local', variable };
    const index = this.#capture(name);
    return index === undefined ? { kind: 'global', name, line } : { kind: 'captured', index };
  }

  #local(name: string): Variable | undefined {
    for (let at = this.#blocks.length - 1; at >= 0; at--) {
      const variable = this.#blocks[at]?.names.get(name);
      if (variable) return variable;
    }
    return undefined;
  }

  #capture(name: string): number | undefined {
    const { outer } = this;
    if (!outer) return undefined;
    const variable = outer.#local(name);
    if (variable) {
      variable.shared = true;
      const known = this.#captures.findIndex(
        (one) => one.from === 'frame' && one.variable === variable,
      );
      return known === -1 ? this.#captures.push({ from: 'frame', variable }) - 1 : known;
    }
    const index = outer.#capture(name);
    if (index === undefined) return undefined;
    const known = this.#captures.findIndex((one) => one.from === 'captures' && one.index === index);
    return known === -1 ? this.#captures.push({ from: 'captures', index }) - 1 : known;
  }

  body(name: string, parameters: readonly Variable[], block: Block): FunctionBody {
    const { variadic } = this;
    return { name, parameters, variadic, block, captures: this.#captures, slots: this.#slots };
  }
}
