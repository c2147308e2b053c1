// Before a command runs: what is not on its command line gets the default that was set for it.
import type { Command } from 'commander';
import { withoutPasswords } from '../../errors.ts';
import type { DefaultInUse } from '../../report/where.ts';
import type { Io } from '../io.ts';
import { readConfigFile, setDefaults } from './read-defaults.ts';
import { settableOf } from './settable-option.ts';

export async function applyDefaults(command: Command, io: Io): Promise<void> {
  const open = settableOf(command.options).filter(
    (option) => command.getOptionValueSource(option.attributeName()) !== 'cli',
  );
  if (open.length === 0) return;
  const file = await readConfigFile(io, command.opts().config);
  const used: DefaultInUse[] = [];
  for (const { option, value, source } of setDefaults(io, open, file)) {
    if (!option.appliesTo(command.opts())) continue;
    command.setOptionValueWithSource(option.attributeName(), value, 'config');
    const shown = withoutPasswords(String(value));
    used.push({ option: option.long ?? option.name(), value: shown, source });
  }
  if (used.length > 0) command.setOptionValue('defaults', used);
}
