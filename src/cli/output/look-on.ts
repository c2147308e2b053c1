// How text looks on a stream: as wide as its terminal, and in colour where the reader wants it and can see it.
import type { Look } from '../../view/lines.ts';
import type { ColorChoice, Io, Stream } from '../io.ts';

/** `wide`: as wide as it is, also on a terminal. */
export function lookOn(io: Io, stream: Stream, { wide = false } = {}): Look {
  const terminal = io.terminal(stream);
  const isColoured =
    wantsColor(io) ?? (terminal !== undefined && io.environment('TERM') !== 'dumb');
  return { columns: wide ? undefined : terminal?.columns, isColoured };
}

/** What was said about all streams. A variable that is set but empty says nothing. */
function wantsColor({ color = 'auto', environment }: Io): boolean | undefined {
  if (color !== 'auto') return color === 'always';
  if (environment('NO_COLOR')) return false;
  const forced = environment('FORCE_COLOR');
  return forced ? !['0', 'false'].includes(forced) : undefined;
}

export const COLORS: readonly ColorChoice[] = ['auto', 'always', 'never'];

/** The arguments themselves may be what is wrong, so they are read as they stand. */
export function colorIn(args: readonly string[]): ColorChoice {
  const given = args.flatMap((arg, at) =>
    arg === '--color' ? [args[at + 1]] : arg.startsWith('--color=') ? [arg.slice(8)] : [],
  );
  return COLORS.find((choice) => choice === given.at(-1)) ?? 'auto';
}
