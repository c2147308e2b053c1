#!/usr/bin/env node
// The process: arguments in, exit status out. The one file that touches what is global.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Io } from './cli/io.ts';
import { runCli } from './cli/run.ts';

const STDIN = 0;

const io: Io = {
  stdout: (text) => void process.stdout.write(text),
  stderr: (text) => void process.stderr.write(text),
  readFile: (path) => readFileSync(path === '-' ? STDIN : path),
  fileSize: (path) => statSync(path).size,
  exists: existsSync,
  writeFile: (path, text) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  },
  version: () =>
    JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version,
};

// A reader that has seen enough (| head) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  throw error;
});

process.exitCode = await runCli(process.argv.slice(2), io);
