// A signal arrived before there was a run to stop.
import { TiphysError } from '../errors.ts';

/** `done`: what happened to the cluster. */
export function interrupted(done = 'Nothing was changed.'): TiphysError {
  return new TiphysError([
    {
      code: 'interrupted',
      message: `Interrupted. ${done}`,
      hint: 'Run the same command again.',
    },
  ]);
}
