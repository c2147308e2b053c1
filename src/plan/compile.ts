// The whole way from the files' text to a graph that can be planned, with every check on the way.
import { TiphysError, together } from '../errors.ts';
import { shortestCycle } from '../graph/cycle.ts';
import { type Platform, parsePlatform } from '../model/platform.ts';
import type { Source } from '../model/source.ts';
import { cycleError } from './cycle-error.ts';
import { buildPlatformGraph, type PlatformGraph } from './platform-graph.ts';

export function compile(source: Source, environment?: Source): PlatformGraph {
  const platform = parseBoth(source, environment);
  const compiled = buildPlatformGraph(platform);
  const cycle = shortestCycle(compiled.graph);
  if (cycle) throw cycleError(source, platform, cycle);
  return compiled;
}

/** An error in the environment file alone does not keep a cycle of the platform file from being shown. */
function parseBoth(source: Source, environment: Source | undefined): Platform {
  try {
    return parsePlatform(source, environment);
  } catch (error) {
    const elsewhere =
      error instanceof TiphysError && error.diagnostics.every(({ file }) => file !== source.file);
    if (elsewhere)
      together(
        () => compile(source),
        () => raise(error),
      );
    throw error;
  }
}

function raise(error: unknown): never {
  throw error;
}
