// tiphys completion: shell scripts, made from the table of commands.
import { Argument, type Command, type Option } from 'commander';
import { EXIT } from '../../errors.ts';
import { type Context, createCommand } from '../command.ts';

export function completionCommand({ io, finish }: Context, program: Command): Command {
  return createCommand({
    name: 'completion',
    description: 'Print a script that completes commands and options in a shell.',
    examples: [
      ['source <(tiphys completion bash)', 'in this bash; zsh likewise'],
      ['tiphys completion fish > ~/.config/fish/completions/tiphys.fish', 'in every fish'],
    ],
  })
    .addArgument(new Argument('<shell>', 'which shell').choices(Object.keys(SCRIPTS)))
    .action((shell: string) => {
      io.stdout(SCRIPTS[shell]?.(program.commands.map(describe)) ?? '');
      finish(EXIT.ok);
    });
}

interface Word {
  readonly text: string;
  readonly description: string;
}

interface CommandWords {
  readonly name: string;
  readonly description: string;
  readonly flags: readonly Word[];
  /** What may stand as an argument. */
  readonly values: readonly string[];
  readonly takesFolder: boolean;
  /** What may follow which flags. */
  readonly choices: readonly Choice[];
}

interface Choice {
  readonly flags: readonly string[];
  readonly values: readonly string[] | 'files';
}

/** A command with commands inside completes their names, and the options of them all. */
function describe(command: Command): CommandWords {
  const all = command.commands.length > 0 ? command.commands : [command];
  const options = optionsOf(all);
  const args = all.flatMap(({ registeredArguments }) => registeredArguments);
  return {
    name: command.name(),
    description: command.description(),
    flags: options.flatMap(({ short, long, description }) =>
      [short, long].filter((text) => text !== undefined).map((text) => ({ text, description })),
    ),
    values: [
      ...command.commands.map((inside) => inside.name()),
      ...args.flatMap((argument) => argument.argChoices ?? []),
    ],
    takesFolder: args.some((argument) => argument.name() === 'folder'),
    choices: options
      .filter((option) => option.required)
      .map(({ short, long, flags, argChoices }) => ({
        flags: [short, long].filter((text) => text !== undefined),
        values: /<(?:file|folder)>$/.test(flags) ? 'files' : (argChoices ?? []),
      })),
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

const SCRIPTS: Readonly<Record<string, (commands: readonly CommandWords[]) => string>> = {
  bash: bashScript,
  zsh: (commands) => `(( $+functions[compdef] )) || { autoload -U compinit && compinit; }
autoload -U +X bashcompinit && bashcompinit
${bashScript(commands)}`,
  fish: fishScript,
};

function bashScript(commands: readonly CommandWords[]): string {
  const names = commands.map(({ name }) => name);
  const cases = commands.map(({ name, flags, values, choices, takesFolder }) => {
    const folders = takesFolder ? '-d ' : '';
    const words = wordList([...values, ...flags.map(({ text }) => text)]);
    const followers = choices.map(({ flags: owners, values: allowed }) => {
      const source = allowed === 'files' ? '-f' : wordList(allowed);
      const reply = fill(source);
      return `        ${owners.join('|')}) ${reply}; return ;;\n`;
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
  for (const { name, description, flags, values, choices, takesFolder } of commands) {
    const inside = text(`__fish_seen_subcommand_from ${name}`);
    lines.push(`complete -c tiphys -n __fish_use_subcommand -a ${name} -d ${text(description)}`);
    if (values.length > 0)
      lines.push(`complete -c tiphys -n ${inside} -a ${text(values.join(' '))}`);
    if (takesFolder)
      lines.push(`complete -c tiphys -n ${inside} -a '(__fish_complete_directories)'`);
    for (const flag of flags) {
      const form = flag.text.startsWith('--')
        ? `-l ${flag.text.slice(2)}`
        : `-s ${flag.text.slice(1)}`;
      const choice = choices.find(({ flags: owners }) => owners.includes(flag.text));
      const follow = choice ? fishValues(choice) : '';
      lines.push(`complete -c tiphys -n ${inside} ${form}${follow} -d ${text(flag.description)}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

function fishValues({ values }: Choice): string {
  return values === 'files' ? ' -r -F' : ` -x -a '${values.join(' ')}'`;
}
