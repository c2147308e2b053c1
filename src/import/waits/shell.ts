// A shell script -> its commands as words. It understands what scripts that wait are made of; of anything else it says that it does not.
// A parser of the whole language is not needed: a script that is not understood is never called a wait.

export interface Script {
  /** Each command as its words, without assignments, redirections and keywords. */
  readonly commands: readonly (readonly string[])[];
  readonly loops: boolean;
  /** It writes a file, so that something else may read it. */
  readonly writesFile: boolean;
  /** Something that this reader does not understand. */
  readonly unclear: boolean;
}

/** Longer scripts do more than wait. */
const LENGTH_MAX = 65_536;
const NESTING_MAX = 8;

const UNCLEAR: Script = { commands: [], loops: false, writesFile: false, unclear: true };

export function readScript(text: string, depth = 0): Script {
  if (text.length > LENGTH_MAX || depth > NESTING_MAX) return UNCLEAR;
  const reader = new ScriptReader(text, depth);
  return reader.read();
}

const LOOPS = new Set(['while', 'until', 'for']);
const KEYWORDS = new Set([
  ...['while', 'until', 'do', 'done', 'if', 'then', 'elif', 'else', 'fi', 'esac', '{', '}', '!'],
]);
const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*\+?=/;
/** Where output may go without another container seeing it. */
/** At most 200 characters. */
const SOCKET = /^\/dev\/tcp\/([^/]{1,150})\/([^/]{1,30})$/;
const SILENT = new Set(['echo', 'echo -n', ':', 'true']);
const HARMLESS_TARGETS = new Set(['/dev/null', '/dev/stderr', '/dev/stdout', '/dev/tty']);

class ScriptReader {
  readonly #text: string;
  readonly #depth: number;
  #at = 0;
  #words: string[] = [];
  #word: string | undefined;
  readonly #commands: string[][] = [];
  readonly #functions = new Set<string>();
  readonly #endOfHeredocs: string[] = [];
  #loops = false;
  #writesFile = false;
  #unclear = false;

  constructor(text: string, depth: number) {
    this.#text = text;
    this.#depth = depth;
  }

  read(): Script {
    while (this.#at < this.#text.length) this.#step();
    this.#endCommand();
    return {
      commands: this.#commands.filter(([name]) => !this.#functions.has(name ?? '')),
      loops: this.#loops,
      writesFile: this.#writesFile,
      unclear: this.#unclear,
    };
  }

  #step(): undefined {
    const character = this.#text.charAt(this.#at);
    if (character === "'") return this.#singleQuoted();
    if (character === '"') return this.#doubleQuoted();
    if (character === '\\') return this.#escaped();
    if (character === '$' || character === '`') return this.#expansion();
    if (character === '#' && this.#word === undefined) return this.#comment();
    if (character === '>' || character === '<') return this.#redirection(character);
    if (character === '\n') return this.#newLine();
    if (character === ';' || character === '|' || character === '&') return this.#separator();
    if (character === '(' || character === ')') return this.#parenthesis(character);
    this.#at += 1;
    if (character === ' ' || character === '\t' || character === '\r') this.#endWord();
    else this.#append(character);
  }

  #append(text: string): undefined {
    this.#word = (this.#word ?? '') + text;
  }

  #singleQuoted(): undefined {
    const end = this.#text.indexOf("'", this.#at + 1);
    if (end < 0) return this.#giveUp();
    this.#append(this.#text.slice(this.#at + 1, end));
    this.#at = end + 1;
  }

  #doubleQuoted(): undefined {
    this.#at += 1;
    this.#append('');
    while (this.#at < this.#text.length) {
      const character = this.#text.charAt(this.#at);
      if (character === '"') {
        this.#at += 1;
        return;
      }
      if (character === '\\') this.#escaped();
      else if (character === '$' || character === '`') this.#expansion();
      else {
        this.#append(character);
        this.#at += 1;
      }
    }
    this.#giveUp();
  }

  #escaped(): undefined {
    const next = this.#text.charAt(this.#at + 1);
    if (next !== '\n') this.#append(next);
    this.#at += 2;
  }

  /** $(command), `command`, $((number)), ${name}, $name. */
  #expansion(): undefined {
    const rest = this.#text.charAt(this.#at);
    if (rest === '`')
      return this.#substitution(this.#at + 1, this.#text.indexOf('`', this.#at + 1));
    if (this.#text.startsWith('$((', this.#at)) return this.#skipTo('))');
    if (this.#text.startsWith('$(', this.#at)) {
      return this.#substitution(this.#at + 2, closing(this.#text, this.#at + 2));
    }
    if (this.#text.startsWith('${', this.#at)) {
      const end = this.#text.indexOf('}', this.#at);
      if (end < 0) return this.#giveUp();
      this.#append(this.#text.slice(this.#at, end + 1));
      this.#at = end + 1;
      return;
    }
    this.#append('$');
    this.#at += 1;
  }

  #skipTo(mark: string): undefined {
    const end = this.#text.indexOf(mark, this.#at);
    if (end < 0) return this.#giveUp();
    this.#append('$((…))');
    this.#at = end + mark.length;
  }

  #substitution(from: number, end: number): undefined {
    if (end < 0) return this.#giveUp();
    const inner = readScript(this.#text.slice(from, end), this.#depth + 1);
    this.#commands.push(...inner.commands.map((words) => [...words]));
    this.#loops ||= inner.loops;
    this.#writesFile ||= inner.writesFile;
    this.#unclear ||= inner.unclear;
    this.#append('$(…)');
    this.#at = end + 1;
  }

  #comment(): undefined {
    const end = this.#text.indexOf('\n', this.#at);
    this.#at = end < 0 ? this.#text.length : end;
  }

  /** What a command reads does not matter; a file that it writes does. */
  #redirection(character: string): undefined {
    if (this.#word !== undefined && /^\d$/.test(this.#word)) this.#word = undefined;
    this.#endWord();
    if (this.#text.startsWith('<<', this.#at) && !this.#text.startsWith('<<<', this.#at)) {
      return this.#heredoc();
    }
    while ('<>&|'.includes(this.#text.charAt(this.#at)) && this.#at < this.#text.length)
      this.#at += 1;
    const target = this.#nextWord();
    if (this.#calls(character, target)) return;
    if (character === '>' && !/^(?:\d|-)$/.test(target) && !HARMLESS_TARGETS.has(target)) {
      this.#writesFile = true;
    }
  }

  /** Bash connects where it opens such a file; what writes nothing into it only asks whether the port answers. */
  #calls(character: string, target: string): boolean {
    const [, host = '', port = ''] = SOCKET.exec(target) ?? [];
    const isSilent = this.#words.length === 0 || SILENT.has(this.#words.join(' '));
    if (host === '' || (character === '>' && !isSilent)) return false;
    this.#commands.push(['nc', '-z', host, port]);
    return true;
  }

  #heredoc(): undefined {
    this.#at += this.#text.startsWith('<<-', this.#at) ? 3 : 2;
    this.#endOfHeredocs.push(this.#nextWord().replaceAll(/['"]/g, ''));
    this.#words.push('<<');
  }

  /** A word as it is written: the target of a redirection. */
  #nextWord(): string {
    while (this.#text.charAt(this.#at) === ' ' || this.#text.charAt(this.#at) === '\t')
      this.#at += 1;
    const from = this.#at;
    while (
      this.#at < this.#text.length &&
      !' \t\r\n;|&<>()'.includes(this.#text.charAt(this.#at))
    ) {
      this.#at += 1;
    }
    return this.#text.slice(from, this.#at).replaceAll(/^["']|["']$/g, '');
  }

  #newLine(): undefined {
    this.#at += 1;
    this.#endCommand();
    for (const mark of this.#endOfHeredocs.splice(0)) this.#skipHeredoc(mark);
  }

  #skipHeredoc(mark: string): undefined {
    while (this.#at < this.#text.length) {
      const end = this.#text.indexOf('\n', this.#at);
      const line = this.#text.slice(this.#at, end < 0 ? undefined : end);
      this.#at = end < 0 ? this.#text.length : end + 1;
      if (line.trim() === mark) return;
    }
    this.#unclear = true;
  }

  #separator(): undefined {
    this.#at += 1;
    this.#endCommand();
  }

  #parenthesis(character: string): undefined {
    const name = this.#word ?? this.#words.at(-1);
    if (character === '(' && this.#text.charAt(this.#at + 1) === ')' && name !== undefined) {
      this.#functions.add(name);
      this.#at += 2;
      return this.#endCommand();
    }
    if (this.#text.startsWith('((', this.#at)) {
      this.#skipTo('))');
      this.#word = undefined;
      return;
    }
    this.#at += 1;
    this.#endCommand();
  }

  #giveUp(): undefined {
    this.#unclear = true;
    this.#at = this.#text.length;
  }

  #endWord(): undefined {
    if (this.#word !== undefined) this.#words.push(this.#word);
    this.#word = undefined;
  }

  #endCommand(): undefined {
    this.#endWord();
    const words = this.#words;
    this.#words = [];
    while (words[0] !== undefined && (KEYWORDS.has(words[0]) || ASSIGNMENT.test(words[0]))) {
      this.#loops ||= LOOPS.has(words[0]);
      words.shift();
    }
    if (words[0] === 'for') this.#loops = true;
    else if (words[0] === 'case' || words[0] === 'function') this.#unclear = true;
    else if (words.length > 0) this.#commands.push(words);
  }
}

/** Where a substitution that begins at `from` ends; brackets inside quotes are rare enough to be taken as they come. */
function closing(text: string, from: number): number {
  let open = 1;
  for (let at = from; at < text.length; at += 1) {
    if (text.charAt(at) === '(') open += 1;
    if (text.charAt(at) === ')') open -= 1;
    if (open === 0) return at;
  }
  return -1;
}
