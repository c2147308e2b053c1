// A cluster of which an import reads nothing.
import type { ImportReads } from '../../src/ports/import-reads.ts';

export const noImports: ImportReads = {
  applications: async () => [],
  definitions: async () => [],
  objects: async () => [],
  manifests: async () => [],
};
