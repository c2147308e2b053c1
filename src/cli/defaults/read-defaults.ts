// Defaults of options that users set: a variable wins over the config file. Nothing is searched for: the file is the one that
// is named, and only declared variables are read.
import { dirname, isAbsolute, join } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { type Diagnostic, TiphysError, together } from '../../errors.ts';
import { quote } from '../../model/names.ts';
import type { DefaultSource } from '../../report/where.ts';
import { readSource } from '../input/read-source.ts';
import type { Io } from '../io.ts';
import { CONFIG_VARIABLE, type SettableOption } from './settable-option.ts';

/** A default that the user set. */
export interface SetDefault {
  readonly option: SettableOption;
  readonly value: unknown;
  readonly source: DefaultSource;
}

export interface ConfigFile {
  readonly path: string;
  /** By the options' names in camel case. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** `given`: the option --config. Undefined: there is no config file. */
export async function readConfigFile(
  io: Io,
  given: string | undefined,
): Promise<ConfigFile | undefined> {
  const path = given ?? (io.environment(CONFIG_VARIABLE) || undefined);
  if (path === undefined) return undefined;
  const hint = `Set another path with --config or ${CONFIG_VARIABLE}, or remove it.`;
  const source = readSource(io, path, hint);
  const [{ parseFile }, { configFile }] = await Promise.all([
    import('../../model/validate.ts'),
    import('../../model/config-file.ts'),
  ]);
  return { path, values: parseFile(source, configFile) };
}

/** Throws with all variables that are wrong. */
export function setDefaults(
  io: Io,
  options: readonly SettableOption[],
  file: ConfigFile | undefined,
): readonly SetDefault[] {
  const found = together(...options.map((option) => () => setDefault(io, option, file)));
  return found.filter((one) => one !== undefined);
}

function setDefault(
  io: Io,
  option: SettableOption,
  file: ConfigFile | undefined,
): SetDefault | undefined {
  const text = io.environment(option.variable);
  if (text) return { option, value: parsed(option, text), source: { variable: option.variable } };
  const value = file?.values[option.attributeName()];
  if (!file || value === undefined) return undefined;
  const isPath = option.isPath && typeof value === 'string';
  return { option, value: isPath ? fromFile(file, value) : value, source: { file: file.path } };
}

/** Paths in the file start from its folder. */
const fromFile = ({ path }: ConfigFile, value: string): string =>
  isAbsolute(value) || value === '-' || path === '-' ? value : join(dirname(path), value);

function parsed(option: SettableOption, text: string): unknown {
  if (option.isBoolean()) {
    if (text === 'true' || text === 'false') return text === 'true';
    throw wrong(option, text, 'Set it to true or false.');
  }
  if (!option.parseArg) return text;
  try {
    return option.parseArg(text, undefined);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw wrong(option, text, error.message);
  }
}

function wrong(option: SettableOption, text: string, hint: string): TiphysError {
  const message = `${option.variable} is ${quote(text)}, which is not valid for ${option.long}.`;
  const diagnostic: Diagnostic = { code: 'variable-invalid', message, hint };
  return new TiphysError([diagnostic]);
}
