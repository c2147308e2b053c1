// tiphys completion: shell scripts, generated from the table of commands.
import { Argument, type Command, type Option } from 'commander';
import { EXIT } from '../../errors.ts';
import type { CommandSpec, Context } from '../command.ts';
import { COMPLETE, kindOfArgument, kindOfOption, type NameKind } from '../completion/name-kinds.ts';

const SCRIPTS: Readonly<Record<string, (commands: readonly CommandWords[]) => string>> = {
  bash: bashScript,
  zsh: (commands) => `(( $+functions[compdef] )) || { autoload -U compinit && compinit; }
autoload -U +X bashcompinit && bashcompinit
${bashScript(commands)}`,
  fish: fishScript,
};

export const completionCommand: CommandSpec = {
  name: 'completion',
  description:
    'Print a shell completion script; it also completes names of applications, stacks, contexts, runs and faults.',
  examples: [
    ['source <(tiphys completion bash)', 'enable completion in this shell; the same for zsh'],
    [
      'tiphys completion fish > ~/.config/fish/completions/tiphys.fish',
      'enable completion in every fish shell',
    ],
  ],
  arguments: [new Argument('<shell>', 'the shell').choices(Object.keys(SCRIPTS))],
  action: ({ io }: Context, _: object, shell: string, { parent }: Command) => {
    const words = parent?.commands.map((command) => describe(command, parent));
    io.stdout(SCRIPTS[shell]?.(words ?? []) ?? '');
    return EXIT.ok;
  },
};

/** An option and its possible values; undefined for a flag. */
interface Flag {
  /** -o and --output. */
  readonly names: readonly string[];
  readonly description: string;
  readonly values: Values | undefined;
}

/** Names are asked for when they are needed. */
type Values = readonly string[] | 'files' | { readonly kind: NameKind };

interface CommandWords {
  readonly name: string;
  readonly description: string;
  readonly flags: readonly Flag[];
  /** What may stand as an argument. */
  readonly values: readonly string[];
  readonly kind: NameKind | undefined;
  readonly takesFolder: boolean;
}

/** A command with commands inside completes their names, and the options of them all. */
function describe(command: Command, program: Command): CommandWords {
  const all = command.commands.length > 0 ? command.commands : [command];
  const args = all.flatMap(({ registeredArguments }) => registeredArguments);
  return {
    name: command.name(),
    description: command.description(),
    flags: optionsOf([...all, program]).map(flagOf),
    values: [
      ...command.commands.map((inside) => inside.name()),
      ...args.flatMap((argument) => argument.argChoices ?? []),
    ],
    kind: args.map((argument) => kindOfArgument(command.name(), argument.name())).find(Boolean),
    takesFolder: args.some((argument) => argument.name() === 'folder'),
  };
}

function flagOf({ short, long, description, required, flags, argChoices }: Option): Flag {
  const kind = kindOfOption(long);
  const listed = /<(?:file|folder)>$/.test(flags) ? 'files' : (argChoices ?? []);
  const names = [short, long].filter((text) => text !== undefined);
  return { names, description, values: required ? (kind ? { kind } : listed) : undefined };
}

function optionsOf(commands: readonly Command[]): Option[] {
  const byName = new Map<string, Option>();
  for (const command of commands) {
    for (const option of command.createHelp().visibleOptions(command)) {
      if (option.name() !== 'version' && !byName.has(option.name()))
        byName.set(option.name(), option);
    }
  }
  return [...byName.values()];
}

function bashScript(commands: readonly CommandWords[]): string {
  const names = commands.map(({ name }) => name);
  return `_tiphys_names() {
  local IFS=$'\\n' head="" escape=""
  COMPREPLY=($(tiphys ${COMPLETE} "$1" "$word" "\${COMP_WORDS[@]}" 2>/dev/null </dev/null))
  # zsh neither splits words nor needs the rest.
  [ -n "\${BASH_VERSION-}" ] || return 0
  # Names are no files: bash would look for folders, and escape every colon.
  compopt +o filenames 2>/dev/null && escape="\\\\"
  case "$word" in
    [\\'\\"]*) return ;;
    *:*) case "$COMP_WORDBREAKS" in *:*) head="\${word%"\${word##*:}"}" ;; esac ;;
  esac
  COMPREPLY=("\${COMPREPLY[@]#"$head"}")
  COMPREPLY=("\${COMPREPLY[@]// /$escape }")
}
_tiphys() {
  local at="$COMP_CWORD" word="\${COMP_WORDS[COMP_CWORD]}" before
  # Bash splits words at : and =.
  while [ "$at" -gt 1 ] && [[ "\${COMP_WORDS[at]}" == [:=]* || "\${COMP_WORDS[at-1]}" == [:=] ]]; do
    at=$((at - 1))
    word="\${COMP_WORDS[at]}$word"
  done
  before="\${COMP_WORDS[at-1]}"
  case "$word" in --*=*) before="\${word%%=*}"; word="\${word#*=}" ;; esac
  if [ "$at" -eq 1 ]; then
    ${fill(wordList([...names, 'help', '--help', '--version']))}
    return
  fi
  case "\${COMP_WORDS[1]}" in
${commands.map(bashCase).join('')}  esac
}
complete -o filenames -F _tiphys tiphys
`;
}

function bashCase({ name, flags, values, kind, takesFolder }: CommandWords): string {
  const folders = takesFolder ? '-d ' : '';
  const options = flags.flatMap((flag) => flag.names);
  const followers = flags.flatMap(({ names: owners, values: allowed }) =>
    allowed ? [`        ${owners.join('|')}) ${bashValues(allowed)}; return ;;\n`] : [],
  );
  const follow =
    followers.length > 0 ? `      case "$before" in\n${followers.join('')}      esac\n` : '';
  const asked = kind
    ? `      case "$word" in\n        -*) ;;\n        *) _tiphys_names ${kind}; return ;;\n      esac\n`
    : '';
  return `    ${name})\n${follow}${asked}      ${fill(`${folders}${wordList([...values, ...options])}`)} ;;\n`;
}

function bashValues(allowed: Values): string {
  if (typeof allowed === 'object' && 'kind' in allowed) return `_tiphys_names ${allowed.kind}`;
  return fill(allowed === 'files' ? '-f' : wordList(allowed));
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
  const lines = [
    'function __tiphys_names',
    '  set -l word (commandline -ct)',
    `  tiphys ${COMPLETE} $argv[1] "$word" (commandline -opc) 2>/dev/null </dev/null`,
    'end',
    'complete -c tiphys -f',
  ];
  for (const { name, description, flags, values, kind, takesFolder } of commands) {
    const inside = text(`__fish_seen_subcommand_from ${name}`);
    lines.push(`complete -c tiphys -n __fish_use_subcommand -a ${name} -d ${text(description)}`);
    if (values.length > 0)
      lines.push(`complete -c tiphys -n ${inside} -a ${text(values.join(' '))}`);
    if (kind) lines.push(`complete -c tiphys -n ${inside} -a '(__tiphys_names ${kind})'`);
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
  if (values === 'files') return ' -r -F';
  return ` -x -a '${'kind' in values ? `(__tiphys_names ${values.kind})` : values.join(' ')}'`;
}
