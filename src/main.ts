#!/usr/bin/env node
// Arguments in, exit status out.
import { runCli } from './cli/run.ts';
import { processIo } from './process.ts';

// A reader that has seen enough (| head) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  throw error;
});

process.exitCode = await runCli(process.argv.slice(2), processIo);
