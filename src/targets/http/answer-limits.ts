// How much of an answer is read: a server that sends without end must not fill the memory.
import { TransportFailure } from '../transport.ts';

export interface Limits {
  /** Bytes of a whole answer. */
  readonly answer: number;
  /** Characters of a line of a stream. */
  readonly line: number;
}

const MIB = 2 ** 20;

/**
 * Lists come in pages of 500 objects, which have some 20 MiB where they are large Applications; the resources of one very
 * large Application, and the records of the last runs, have a few times that. A pod with 512 MiB can take this much.
 * A line of a watch has one object: Kubernetes stores none above 1.5 MiB by default, and 8 MiB is the most that etcd is set to.
 */
export const LIMITS: Limits = { answer: 128 * MIB, line: 16 * MIB };

export async function boundedText(body: AsyncIterable<Uint8Array>, most: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    // Leaving the loop closes the connection.
    if (size > most) throw oversized('the answer', most);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

export function oversized(what: string, most: number): TransportFailure {
  return new TransportFailure('oversized', `${what} is larger than ${most / MIB} MiB`);
}
