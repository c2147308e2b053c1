// The files of a rehearsal: faults, how long applications take, and the same as a real run showed it.
import { TiphysError } from '../errors.ts';
import { quote } from '../model/names.ts';
import { suggestFrom } from '../model/nearest.ts';
import { locate, type Problem } from '../model/positions.ts';
import { deployedNode, faultFile, profileFile } from '../model/rehearsal-files.ts';
import type { Source } from '../model/source.ts';
import { parseFile } from '../model/validate.ts';
import { nodeOf } from '../plan/platform-graph.ts';
import type { Fault } from './fault.ts';
import { parseFault } from './parse-fault.ts';

/** Seconds by the name of the application, dwell included. */
export type Profile = ReadonlyMap<string, number>;

export function parseFaultFile(source: Source, names: readonly string[]): Fault[] {
  const results = parseFile(source, faultFile).map((line) => parseFault(line, names));
  const problems = results.flatMap((result, at): Problem[] =>
    'offset' in result ? [{ ...result, path: [at] }] : [],
  );
  if (problems.length > 0) throw new TiphysError(locate(source, problems));
  return results.flatMap((result) => ('offset' in result ? [] : [result]));
}

export function parseProfile(source: Source, names: readonly string[]): Profile {
  const { applications } = parseFile(source, profileFile);
  const known = new Set(names);
  const suggest = suggestFrom(names);
  const problems = Object.keys(applications)
    .filter((name) => !known.has(name))
    .map((name): Problem => {
      const near = suggest(name);
      return {
        code: 'reference-unknown',
        message: `The platform has no application ${quote(name)}.`,
        hint: near ? `Did you mean "${near}"?` : 'Remove it.',
        path: ['applications', name],
        key: true,
      };
    });
  if (problems.length > 0) throw new TiphysError(locate(source, problems));
  return new Map(Object.entries(applications));
}

/**
 * From what a real run printed as JSON: its events, one a line, or its report. What was not deployed there, only waited for, or
 * is not in the platform any more, tells nothing.
 */
export function profileOfRun(source: Source, names: readonly string[]): Profile {
  const found = new Map<string, number>();
  const values = jsonValues(source.text);
  const isWhole = wholeIn(values);
  for (const node of finishedNodes(values)) {
    const { data } = deployedNode.safeParse(node);
    if (!data || !isWhole(data.id)) continue;
    const { sync, health, dwell } = data.durations;
    found.set(data.id, Math.round(sync + health + dwell));
  }
  const profile = names.flatMap((name): [string, number][] => {
    const seconds = found.get(nodeOf(name));
    return seconds === undefined ? [] : [[name, seconds]];
  });
  if (profile.length > 0) return new Map(profile);
  const message = 'The file has no durations of applications of this platform.';
  const hint = 'Use the output of `tiphys deploy -o json` or `tiphys runs RUN -o json`.';
  throw new TiphysError([{ code: 'run-file-invalid', message, hint, file: source.file }]);
}

/** A run that was resumed has measured only the rest of what was in progress before: nothing that it requested itself. */
function wholeIn(values: readonly Record<string, unknown>[]): (id: string) => boolean {
  const begin = values.findLastIndex(({ type }) => type === 'run.started');
  if (values[begin]?.resumed !== true) return () => true;
  const own = values.slice(begin).filter(({ type }) => type === 'node.sync-requested');
  const requested = new Set(own.map(({ node }) => node));
  return (id) => requested.has(id);
}

function finishedNodes(values: readonly Record<string, unknown>[]): unknown[] {
  return values.flatMap((value) => {
    if (value.type === 'node.finished') return [{ ...value, id: value.node }];
    return Array.isArray(value.nodes) ? value.nodes : [];
  });
}

/** The whole text, else each line. */
function jsonValues(text: string): Record<string, unknown>[] {
  const parse = (part: string): Record<string, unknown>[] => {
    try {
      const value = JSON.parse(part);
      return typeof value === 'object' && value !== null ? [value] : [];
    } catch {
      return [];
    }
  };
  const whole = parse(text);
  return whole.length > 0 ? whole : text.split('\n').flatMap(parse);
}
