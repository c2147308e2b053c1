// Nothing changes the cluster but through the door (`src/session/writes/`), and there is one way into a session. Types hide what
// writes (`Cluster`); these rules keep the hidden from being taken out again.
import { codeOf, type SourceFile } from './source-file.ts';

const DOOR = 'src/session/writes/';

/** Who implements writes, or is a cluster. */
const BEHIND = ['src/ports/', 'src/targets/', 'src/simulator/', 'src/rehearsal/', DOOR];

interface Rule {
  readonly pattern: RegExp;
  /** Beginnings of the paths where it may be. */
  readonly allowed: readonly string[];
  readonly message: string;
}

const RULES: readonly Rule[] = [
  {
    pattern:
      /(?<!\bwrites|\bworker)\.(?:requestSync|terminate|orphan|prepareFinalizerRemoval)\(|\b(?:applications|objects)\.remove\(|\bprojects\.update\(|\bsnapshots\.create\(|\bworkflows\.(?:create|stop)\(|\bprobes\.create\(|\btaskSets\.report\(/,
    allowed: BEHIND,
    message: `sends a write; only ${DOOR} does`,
  },
  {
    pattern: /\b(?:leases\.(?:create|update)|store\.(?:put|remove))\(/,
    allowed: [...BEHIND, 'src/session/'],
    message: "writes a Lease or a record, which are the session's own",
  },
  {
    pattern: /\brawPorts\b|\bas Target\b/,
    allowed: ['src/session/'],
    message: 'takes what writes out of a Cluster; only the session does',
  },
  {
    pattern: /\bnew Session\(/,
    allowed: ['src/session/open-session.ts'],
    message: 'builds a session; open-session.ts has the ways into one',
  },
  {
    pattern: /\bnew (?:Lease|Recorder|RunHold|HoldWriter|SharedHold|Writes)\(/,
    allowed: ['src/session/'],
    message: 'builds a part of a session by itself',
  },
  {
    pattern: /\bheld: (?:async )?\(\) => (?:\{\s*\}|Promise\.resolve\(\)|undefined)/,
    allowed: [],
    message: 'writes without waiting for the hold',
  },
  {
    pattern: /\bdependenciesReady: (?:async )?\(\) => (?:\{\s*\}|Promise\.resolve\(\)|undefined)/,
    // What makes Applications is stopped before the first one goes: nothing comes before it.
    allowed: ['src/engines/teardown/stop-makers.ts'],
    message: 'writes without waiting for dependencies',
  },
];

export function doorViolations(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => path.startsWith('src/') && !path.endsWith('.test.ts'))
    .flatMap((file) => [...brokenRules(file), ...unguarded(file)]);
}

function brokenRules({ path, text }: SourceFile): string[] {
  const code = codeOf(text);
  return RULES.filter(
    ({ pattern, allowed }) => !allowed.some((one) => path.startsWith(one)) && pattern.test(code),
  ).map(({ message }) => `${path}: ${message}`);
}

/** In the door itself: what is sent is handed to one of the functions that wait. */
function unguarded({ path, text }: SourceFile): string[] {
  if (path !== `${DOOR}writes.ts`) return [];
  return codeOf(text)
    .split('\n')
    .filter(
      (line) =>
        /#raw\./.test(line) &&
        !/this\.#(?:begin|beginLong|goOn|goOnWith)\(.*=> this\.#raw\./.test(line),
    )
    .map((line) => `${path}: sends without waiting: ${line.trim()}`);
}
