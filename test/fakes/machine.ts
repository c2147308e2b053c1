// A machine without variables, on which programs can be run.
import { processIo } from '../../src/process.ts';

export const MACHINE = {
  environment: (_name: string): string | undefined => undefined,
  runProgram: processIo.runProgram,
};
