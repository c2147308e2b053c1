// Compiles the text of the files into a graph that can be planned, with every check on the way.
import { codeOf, TiphysError, together } from '../errors.ts';
import { shortestCycle } from '../graph/cycle.ts';
import { type Platform, parsePlatform } from '../model/platform.ts';
import type { Source } from '../model/source.ts';
import { cycleError } from './cycle-error.ts';
import { buildPlatformGraph, type PlatformGraph } from './platform-graph.ts';

export function compile(source: Source, environment?: Source): PlatformGraph {
  const platform = parseBoth(source, environment);
  const compiled = buildPlatformGraph(platform);
  const cycle = shortestCycle(compiled.graph);
  if (cycle) throw cycleError(source, cycle);
  return compiled;
}

/** An error in the environment file alone must not hide a cycle in the platform file. */
function parseBoth(source: Source, environment: Source | undefined): Platform {
  try {
    return parsePlatform(source, environment);
  } catch (error) {
    const elsewhere =
      error instanceof TiphysError && error.diagnostics.every(({ file }) => file !== source.file);
    if (elsewhere)
      together(
        () => showCycle(source),
        () => raise(error),
      );
    throw error;
  }
}

/** Without its environment, a file can have other errors; those are ignored here. */
function showCycle(source: Source): void {
  try {
    compile(source);
  } catch (error) {
    if (!(error instanceof TiphysError) || codeOf(error) === 'graph-cycle') throw error;
  }
}

function raise(error: unknown): never {
  throw error;
}
