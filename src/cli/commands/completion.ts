// tiphys completion: shell scripts, generated from the table of commands.
import { Argument, type Command, type Option } from 'commander';
import { EXIT } from '../../errors.ts';
import type { CommandSpec, Context } from '../command.ts';

const SCRIPTS: Readonly<Record<string, (commands: readonly CommandWords[]) => string>> = {
  bash: bashScript,
  zsh: (commands) => `(( $+functions[compdef] )) || { autoload -U compinit && compinit; }
autoload -U +X bashcompinit && bashcompinit
${bashScript(commands)}`,
  fish: fishScript,
};

export const completionCommand: CommandSpec = {
  name: 'completion',
  description: 'Print a shell completion script.',
  examples: [
    ['source <(tiphys completion bash)', 'enable completion in this shell; the same for zsh'],
    [
      'tiphys completion fish > ~/.config/fish/completions/tiphys.fish',
      'enable completion in every fish shell',
    ],
  ],
  arguments: [new Argument('<shell>', 'the shell').choices(Object.keys(SCRIPTS))],
  action: ({ io }: Context, _: object, shell: string, { parent }: Command) => {
    io.stdout(SCRIPTS[shell]?.(parent?.commands.map(describe) ?? []) ?? '');
    return EXIT.ok;
  },
};

/** An option and its possible values; undefined for a flag. */
interface Flag {
  /** -o and --output. */
  readonly names: readonly string[];
  readonly description: string;
  readonly values: readonly string[] | 'files' | undefined;
}

interface CommandWords {
  readonly name: string;
  readonly description: string;
  readonly flags: readonly Flag[];
  /** What may stand as an argument. */
  readonly values: readonly string[];
  readonly takesFolder: boolean;
}

/** A command with commands inside completes their names, and the options of them all. */
function describe(command: Command): CommandWords {
  const all = command.commands.length > 0 ? command.commands : [command];
  const args = all.flatMap(({ registeredArguments }) => registeredArguments);
  return {
    name: command.name(),
    description: command.description(),
    flags: optionsOf(all).map(({ short, long, description, required, flags, argChoices }) => {
      const values = /<(?:file|folder)>$/.test(flags) ? 'files' : (argChoices ?? []);
      const names = [short, long].filter((text) => text !== undefined);
      return { names, description, values: required ? values : undefined };
    }),
    values: [
      ...command.commands.map((inside) => inside.name()),
      ...args.flatMap((argument) => argument.argChoices ?? []),
    ],
    takesFolder: args.some((argument) => argument.name() === 'folder'),
  };
}

function optionsOf(commands: readonly Command[]): Option[] {
  const byName = new Map<string, Option>();
  for (const command of commands) {
    for (const option of command.createHelp().visibleOptions(command)) {
      if (!byName.has(option.name())) byName.set(option.name(), option);
    }
  }
  return [...byName.values()];
}

function bashScript(commands: readonly CommandWords[]): string {
  const names = commands.map(({ name }) => name);
  const cases = commands.map(({ name, flags, values, takesFolder }) => {
    const folders = takesFolder ? '-d ' : '';
    const words = wordList([...values, ...flags.flatMap((flag) => flag.names)]);
    const followers = flags.flatMap(({ names: owners, values: allowed }) => {
      if (!allowed) return [];
      const reply = fill(allowed === 'files' ? '-f' : wordList(allowed));
      return [`        ${owners.join('|')}) ${reply}; return ;;\n`];
    });
    const follow =
      followers.length > 0 ? `      case "$before" in\n${followers.join('')}      esac\n` : '';
    return `    ${name})\n${follow}      ${fill(`${folders}${words}`)} ;;\n`;
  });
  return `_tiphys() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    ${fill(wordList([...names, 'help', '--help', '--version']))}
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('')}  esac
}
complete -o filenames -F _tiphys tiphys
`;
}

/** One candidate a line: file names may have spaces in them. */
function fill(source: string): string {
  return `local IFS=$'\\n'; COMPREPLY=($(compgen ${source} -- "$word"))`;
}

function wordList(words: readonly string[]): string {
  return `-W $'${words.join('\\n')}'`;
}

function fishScript(commands: readonly CommandWords[]): string {
  const text = (words: string) => `'${words.replaceAll("'", "\\'")}'`;
  const lines = ['complete -c tiphys -f'];
  for (const { name, description, flags, values, takesFolder } of commands) {
    const inside = text(`__fish_seen_subcommand_from ${name}`);
    lines.push(`complete -c tiphys -n __fish_use_subcommand -a ${name} -d ${text(description)}`);
    if (values.length > 0)
      lines.push(`complete -c tiphys -n ${inside} -a ${text(values.join(' '))}`);
    if (takesFolder)
      lines.push(`complete -c tiphys -n ${inside} -a '(__fish_complete_directories)'`);
    for (const flag of flags) {
      const follow = `${fishValues(flag)} -d ${text(flag.description)}`;
      for (const word of flag.names) {
        const form = word.startsWith('--') ? `-l ${word.slice(2)}` : `-s ${word.slice(1)}`;
        lines.push(`complete -c tiphys -n ${inside} ${form}${follow}`);
      }
    }
  }
  return `${lines.join('\n')}\n`;
}

function fishValues({ values }: Flag): string {
  if (!values) return '';
  return values === 'files' ? ' -r -F' : ` -x -a '${values.join(' ')}'`;
}
