// npm run lua:build: compiles the Go files of this folder to engine.wasm.br. npm run lua:check: compiles them again, and
// compares the bytes of both modules. The same sources give the same bytes on every machine.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { limitMemory } from './limit-memory.ts';

/** 128 MiB, in pages of 64 KiB. */
const PAGES_MAX = 2048;
const ENGINE = join(import.meta.dirname, 'engine.wasm.br');

const built = build();
if (process.argv.includes('--check')) check();
else save();

function build(): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'tiphys-lua-'));
  try {
    const file = join(folder, 'engine.wasm');
    const flags = ['-trimpath', '-buildvcs=false', '-ldflags=-s -w -buildid='];
    const args = ['build', '-buildmode=c-shared', ...flags, '-o', file, '.'];
    execFileSync('go', args, { cwd: import.meta.dirname, stdio: 'inherit', env: environment() });
    return limitMemory(readFileSync(file), PAGES_MAX);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Whatever is set for Go on this machine does not count, nor does a newer Go that is installed. */
function environment(): NodeJS.ProcessEnv {
  const module = readFileSync(join(import.meta.dirname, 'go.mod'), 'utf8');
  const [, toolchain] = /^toolchain (.+)$/m.exec(module) ?? [];
  const target = { GOOS: 'wasip1', GOARCH: 'wasm', GOWASM: '', GOEXPERIMENT: '', CGO_ENABLED: '0' };
  const pins = { GOTOOLCHAIN: toolchain, GOFLAGS: '-mod=readonly', GOWORK: 'off' };
  return { ...process.env, ...target, ...pins };
}

function save(): void {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: 24,
  };
  writeFileSync(ENGINE, brotliCompressSync(built, { params }));
  process.stdout.write(`${ENGINE}: ${built.length} bytes\n`);
}

function check(): void {
  const shipped = brotliDecompressSync(readFileSync(ENGINE));
  const same = shipped.equals(built);
  process.stdout.write(
    same
      ? 'lua/engine.wasm.br is what its sources give\n'
      : `lua/engine.wasm.br is not what its sources give (${shipped.length} and ${built.length} bytes): run \`npm run lua:build\`\n`,
  );
  process.exitCode = same ? 0 : 1;
}
