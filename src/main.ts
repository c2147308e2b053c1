#!/usr/bin/env node
// The process: arguments in, exit status out. The one file that touches what is global.
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Io } from './cli/io.ts';
import { runCli } from './cli/run.ts';

const STDIN = 0;

/** Pipes and devices do not say how much they hold, and some never end. */
function readAtMost(file: number, bytesMax: number): Uint8Array {
  const chunks: Uint8Array[] = [];
  for (let left = bytesMax; left > 0; ) {
    const chunk = Buffer.allocUnsafe(Math.min(left, CHUNK));
    const size = readSome(file, chunk);
    if (size === 0) break;
    chunks.push(chunk.subarray(0, size));
    left -= size;
  }
  return Buffer.concat(chunks);
}

/** A pipe that has nothing yet is asked again; a terminal on Windows ends with an error. */
function readSome(file: number, chunk: Uint8Array): number {
  for (;;) {
    try {
      return readSync(file, chunk);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EOF') return 0;
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

const CHUNK = 1 << 20;

const io: Io = {
  stdout: (text) => void process.stdout.write(text),
  stderr: (text) => void process.stderr.write(text),
  readFile: (path, bytesMax) => {
    if (path === '-') return readAtMost(STDIN, bytesMax);
    const file = openSync(path, 'r');
    try {
      return readAtMost(file, bytesMax);
    } finally {
      closeSync(file);
    }
  },
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
