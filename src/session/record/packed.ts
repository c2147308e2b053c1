// Text in ConfigMaps: compressed, and decompressed with a size limit.
import { gunzipSync, gzipSync } from 'node:zlib';

/** More than is ever written; protects against decompression bombs. */
const TEXT_MAX = 64 * 1024 * 1024;

export const packed = (text: string): Uint8Array => gzipSync(text);

/** Throws if it is damaged or too large. */
export function unpacked(bytes: Uint8Array): string {
  return gunzipSync(bytes, { maxOutputLength: TEXT_MAX }).toString();
}
