// What a command may touch of the outside, handed in by main.ts. Tests hand in their own.

export interface Io {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Reads at most so many bytes. Throws as node:fs does. `-` is standard input. */
  readonly readFile: (path: string, bytesMax: number) => Uint8Array;
  readonly exists: (path: string) => boolean;
  /** Makes the folders that are missing. */
  readonly writeFile: (path: string, text: string) => void;
  readonly version: () => string;
}
