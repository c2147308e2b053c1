// Told to stop before there was a run that could be stopped.
import { TiphysError } from '../errors.ts';

export function interrupted(): TiphysError {
  return new TiphysError([
    {
      code: 'interrupted',
      message: 'Interrupted. Nothing was changed.',
      hint: 'Run the same command again.',
    },
  ]);
}
