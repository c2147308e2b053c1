// Programs, as the process runs them.
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { processIo } from './process.ts';

/** More than anything here takes, also on a busy machine. */
const LONG_MS = 50_000;
const PATIENT = { timeout: LONG_MS };

const run = (script: string, more: { timeoutMs?: number; signal?: AbortSignal } = {}) =>
  processIo.runProgram({
    ...{ program: process.execPath, args: ['-e', script], timeoutMs: LONG_MS },
    ...more,
  });

test('what it printed, and its status', async () => {
  const script = 'console.log("ü".repeat(70000)); console.error("b"); process.exitCode = 3';
  const stdout = `${'ü'.repeat(70_000)}\n`;
  expect(await run(script)).toEqual({ kind: 'ended', status: 3, stdout, stderr: 'b\n' });
});

test('one that never stops printing', async () => {
  const script = 'const x = "x".repeat(2 ** 20); for (;;) require("fs").writeSync(1, x)';
  const end = await run(script);
  expect(end).toEqual({ kind: 'ended', status: null, stdout: '', stderr: expect.any(String) });
});

test('one that is not there', async () => {
  const call = { program: 'no-such-program', args: [], timeoutMs: LONG_MS };
  expect(await processIo.runProgram(call)).toEqual({ kind: 'missing' });
});

test('a program has what is around this process, and what it is given beside that', async () => {
  const script = 'console.log(process.env.PATH === undefined, process.env.LC_ALL)';
  const call = { program: process.execPath, args: ['-e', script], timeoutMs: LONG_MS };
  const ended = await processIo.runProgram({ ...call, environment: { LC_ALL: 'C.UTF-8' } });
  expect(ended).toMatchObject({ stdout: 'false C.UTF-8\n' });
});

test('a program starts in the folder that it is given', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tiphys-process-')));
  const call = { program: process.execPath, args: ['-p', 'process.cwd()'], timeoutMs: LONG_MS };
  expect(await processIo.runProgram({ ...call, folder })).toMatchObject({ stdout: `${folder}\n` });
  rmSync(folder, { recursive: true });
});

test('one that does not end, and one that nobody waits for any more', async () => {
  const forever = 'setInterval(() => {}, 1000)';
  expect(await run(forever, { timeoutMs: 100 })).toEqual({ kind: 'late' });
  const given = new AbortController();
  const ended = run(forever, { signal: given.signal });
  given.abort();
  expect(await ended).toEqual({ kind: 'late' });
});

test('what it has started ends with it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tiphys-process-'));
  const file = join(folder, 'pid');
  const script = `require('fs').writeFileSync(${JSON.stringify(file)},
    String(require('child_process').spawn('sleep', ['60'], { stdio: 'inherit' }).pid))`;
  const given = new AbortController();
  const ended = run(script, { signal: given.signal });
  const pid = await vi.waitUntil(() => existsSync(file) && readFileSync(file, 'utf8'), PATIENT);
  given.abort();
  expect(await ended).toEqual({ kind: 'late' });
  rmSync(folder, { recursive: true });
  // Nobody may be there to fetch its status, and then it stays in the list as a zombie.
  const state = () => {
    try {
      return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0];
    } catch {
      return undefined;
    }
  };
  await vi.waitUntil(() => [undefined, 'Z'].includes(state()), PATIENT);
});

test('a temporary file is deleted although the process is made to exit', async () => {
  const script = `
    import { processIo } from ${JSON.stringify(new URL('./process.ts', import.meta.url).href)};
    await processIo.withFile('kubeconfig', 'secret', async (path) => {
      process.stdout.write(path);
      process.exit(0);
    });`;
  const ended = await processIo.runProgram({
    program: process.execPath,
    args: ['--import', 'tsx', '--input-type=module', '-e', script],
    timeoutMs: LONG_MS,
  });
  const path = ended.kind === 'ended' ? ended.stdout : '';
  expect(path).toMatch(/kubeconfig$/);
  expect(existsSync(path)).toBe(false);
});

test('a link that leads nowhere is there', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tiphys-process-'));
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'platform.yaml'));
  expect(processIo.exists(join(folder, 'platform.yaml'))).toBe(true);
  expect(processIo.exists(join(folder, 'elsewhere'))).toBe(false);
  writeFileSync(join(folder, 'file'), '');
  expect(processIo.exists(join(folder, 'file', 'below'))).toBe(false);
  rmSync(folder, { recursive: true });
});
