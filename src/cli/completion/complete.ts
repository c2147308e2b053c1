// `tiphys __complete KIND WORD LINE...`: the names that a shell offers, one a line. It says nothing else: an error at a prompt would
// destroy the line that the user types.
import { EXIT, type ExitStatus } from '../../errors.ts';
import { renderLines } from '../../view/lines.ts';
import type { Io } from '../io.ts';
import { unquoted } from './line.ts';
import type { NameKind } from './name-kinds.ts';

/** Users do not wait longer for a key. */
const WITHIN_MS = 1_000;

/** Nothing in it has a meaning for a shell or a terminal, and none looks like an option. */
const SAFE = /^[A-Za-z0-9][\w.:@/+ -]*$/;

export async function complete(args: readonly string[], io: Io): Promise<ExitStatus> {
  io.endWithin(WITHIN_MS, EXIT.ok);
  const [kind = '', word = '', ...line] = args;
  const home = io.environment('HOME');
  const value = unquoted(word, home).replace(/^--[a-z-]+=/, '');
  try {
    const { candidates } = await import('./candidates.ts');
    const words = line.map((one) => unquoted(one, home));
    const found = await candidates(io, { kind: kind as NameKind, word: value, line: words });
    const fitting = found.filter((one) => one.startsWith(value) && SAFE.test(one));
    io.stdout(renderLines([...new Set(fitting)]));
  } catch {
    // Without names, the shell offers nothing.
  }
  return EXIT.ok;
}
