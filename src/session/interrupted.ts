// Told to stop before there was a run that could be stopped.
import { TiphysError } from '../errors.ts';

/** `done`: what became of the cluster. */
export function interrupted(done = 'Nothing was changed.'): TiphysError {
  return new TiphysError([
    {
      code: 'interrupted',
      message: `Interrupted. ${done}`,
      hint: 'Run the same command again.',
    },
  ]);
}
