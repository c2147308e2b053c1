#!/usr/bin/env node
// Arguments in, exit status out. In its image the program is called `executor`, and is configured as that.
import { basename } from 'node:path';
import { runCli } from './cli/run-cli.ts';
import { EXIT } from './errors.ts';
import { processIo } from './process.ts';

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that has seen enough (| head) is no error.
    if (error.code === 'EPIPE') process.exit();
    const name = stream === process.stdout ? 'standard output' : 'standard error';
    const text = `error[file-unwritable]: Cannot write to ${name}: ${error.message}.\n`;
    if (stream === process.stdout) process.stderr.write(text);
    process.exit(EXIT.invalid);
  });
}

const [, program = '', ...args] = process.argv;
process.exitCode =
  basename(program) === 'executor'
    ? await (await import('./executor/run-executor.ts')).runExecutor(args, processIo)
    : await runCli(args, processIo);
