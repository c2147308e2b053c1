// Programs that are listened to while they run.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { processIo } from './process.ts';

const node = (script: string, stop = new AbortController().signal) => {
  const lines: string[] = [];
  const options = {
    environment: { GIVEN: 'given' },
    heard: (line: string) => lines.push(line),
    stop,
  };
  const ended = processIo.follow(process.execPath, ['-e', script], options);
  return ended.then((status) => ({ status, lines }));
};

test('a program is heard line by line, on both of its streams', async () => {
  const script = 'console.log(process.env.GIVEN); console.error("two"); process.exitCode = 5';
  const { status, lines } = await node(script);
  expect(status).toBe(5);
  expect(lines.sort()).toEqual(['given', 'two']);
});

test('a program that is not there has no status', async () => {
  const options = { environment: {}, heard: () => {}, stop: new AbortController().signal };
  expect(await processIo.follow('no-such-program', [], options)).toBeUndefined();
});

test('a program that is told to stop can end in its own way', async () => {
  const stop = new AbortController();
  const lines: string[] = [];
  const script =
    'process.on("SIGINT", () => { console.log("bye"); process.exit(7); }); console.log("up"); setTimeout(() => {}, 60000)';
  const heard = (line: string) => {
    lines.push(line);
    if (line === 'up') stop.abort();
  };
  const options = { environment: {}, heard, stop: stop.signal };
  expect(await processIo.follow(process.execPath, ['-e', script], options)).toBe(7);
  expect(lines).toEqual(['up', 'bye']);
});

test('a file is there for the work, for its owner alone, and gone afterwards', async () => {
  const path = await processIo.withFile('x.yml', 'text', async (file) => {
    expect(readFileSync(file, 'utf8')).toBe('text');
    expect(statSync(file).mode & 0o077).toBe(0);
    return file;
  });
  expect(existsSync(path)).toBe(false);
  const failing = processIo.withFile('x.yml', 'text', async (file) => {
    throw new Error(file);
  });
  const left = await failing.catch((error: Error) => error.message);
  expect(left).toContain('x.yml');
  expect(existsSync(left as string)).toBe(false);
});
