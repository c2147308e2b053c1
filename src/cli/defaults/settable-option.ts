// An option whose default users can set: by a variable of its name, or in the config file.
import { Option } from 'commander';

export class SettableOption extends Option {
  /** Undefined: it always has a meaning. A default has none where the option would be refused. */
  #applies: ((options: Readonly<Record<string, unknown>>) => boolean) | undefined;

  /** `--argocd-server` -> `TIPHYS_ARGOCD_SERVER` */
  get variable(): string {
    return `TIPHYS_${this.name().toUpperCase().replaceAll('-', '_')}`;
  }

  get isPath(): boolean {
    return /<file>$/.test(this.flags);
  }

  onlyWhere(applies: (options: Readonly<Record<string, unknown>>) => boolean): this {
    this.#applies = applies;
    return this;
  }

  appliesTo(options: Readonly<Record<string, unknown>>): boolean {
    return this.#applies?.(options) ?? true;
  }
}

export const settableOf = (options: readonly Option[]): readonly SettableOption[] =>
  options.filter((option) => option instanceof SettableOption);

export const CONFIG_VARIABLE = 'TIPHYS_CONFIG';

export const CONFIG = new Option(
  '--config <file>',
  `file with defaults for options; see \`tiphys config view\` (default: none, env: ${CONFIG_VARIABLE})`,
);
