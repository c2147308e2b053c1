// The simulation as one file that a plain Node runs: no loader slows it down, and a planted bug can be put into it without touching the sources.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build, type Plugin } from 'vite';

/** One way to break the engine: a piece of a source file, and what stands there instead. */
export interface Patch {
  readonly file: string;
  readonly find: string;
  readonly put: string;
}

const FOLDER = 'node_modules/.cache';

const made: string[] = [];
process.once('exit', () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

export async function bundle(patches: readonly Patch[] = []): Promise<string> {
  mkdirSync(FOLDER, { recursive: true });
  const outDir = mkdtempSync(join(FOLDER, 'simulation-'));
  made.push(outDir);
  const left = new Set(patches);
  await build({
    configFile: false,
    logLevel: 'error',
    plugins: [plant(patches, left)],
    build: {
      ssr: 'test/simulation/worker.ts',
      outDir,
      emptyOutDir: false,
      target: 'node20',
      rollupOptions: { output: { entryFileNames: 'worker.mjs' } },
    },
  });
  const [unplanted] = left;
  if (unplanted) throw new Error(`${unplanted.file} does not have: ${unplanted.find}`);
  return join(outDir, 'worker.mjs');
}

/** A patch whose text is not there, or there more than once, is a mistake. */
function plant(patches: readonly Patch[], left: Set<Patch>): Plugin {
  return {
    name: 'plant',
    enforce: 'pre',
    transform(code, id) {
      const file = relative(process.cwd(), id);
      const own = patches.filter((patch) => patch.file === file);
      if (own.length === 0) return undefined;
      return own.reduce((text, patch) => {
        const parts = text.split(patch.find);
        if (parts.length !== 2)
          throw new Error(`${file} has this ${parts.length - 1} times: ${patch.find}`);
        left.delete(patch);
        return parts.join(patch.put);
      }, code);
    },
  };
}
