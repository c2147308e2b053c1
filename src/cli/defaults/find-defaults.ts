// All defaults, with where they come from, and everything else of the environment that a command would read.
import { withoutPasswords } from '../../errors.ts';
import { API_VERSION } from '../../model/api-version.ts';
import type { DefaultEntry, Defaults, VariableEntry } from '../../report/defaults.ts';
import type { Io } from '../io.ts';
import { readConfigFile, type SetDefault, setDefaults } from './read-defaults.ts';
import type { SettableOption } from './settable-option.ts';
import { VARIABLES } from './variables.ts';

export async function findDefaults(
  io: Io,
  options: readonly SettableOption[],
  config: string | undefined,
): Promise<Defaults> {
  const file = await readConfigFile(io, config);
  const set = setDefaults(io, options, file);
  return {
    apiVersion: API_VERSION,
    kind: 'Defaults',
    configFile: file?.path ?? null,
    options: options.map((option) =>
      entryOf(
        option,
        set.find((one) => one.option === option),
      ),
    ),
    variables: VARIABLES.map(([name, meaning]) => variableOf(io, name, meaning)),
  };
}

function entryOf(option: SettableOption, set: SetDefault | undefined): DefaultEntry {
  const value = set ? set.value : option.defaultValue;
  return {
    option: option.long ?? option.name(),
    key: option.attributeName(),
    variable: option.variable,
    value: typeof value === 'string' ? withoutPasswords(value) : ((value as boolean) ?? null),
    source: set?.source ?? null,
  };
}

function variableOf({ environment }: Io, name: string, meaning: string): VariableEntry {
  const value = environment(name) || environment(name.toLowerCase());
  return { name, meaning, value: value ? withoutPasswords(value) : null };
}
