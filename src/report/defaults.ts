// The defaults of options, each with where it comes from.
import type { API_VERSION } from '../model/api-version.ts';
import type { DefaultSource } from './where.ts';

export interface DefaultEntry {
  /** --context */
  readonly option: string;
  /** In the config file. */
  readonly key: string;
  /** TIPHYS_CONTEXT */
  readonly variable: string;
  /** Null: none; the help of the option says what happens then. */
  readonly value: string | boolean | null;
  /** Null: the program. */
  readonly source: DefaultSource | null;
}

export interface VariableEntry {
  readonly name: string;
  readonly meaning: string;
  /** Null: not set. */
  readonly value: string | null;
}

export interface Defaults {
  readonly apiVersion: typeof API_VERSION;
  readonly kind: 'Defaults';
  readonly configFile: string | null;
  readonly options: readonly DefaultEntry[];
  /** What else is read of the environment. */
  readonly variables: readonly VariableEntry[];
}
