// Text as it is kept in ConfigMaps: compressed, and read back within bounds.
import { gunzipSync, gzipSync } from 'node:zlib';

/** More than is ever written, and no bomb. */
const TEXT_MAX = 64 * 1024 * 1024;

export const packed = (text: string): Uint8Array => gzipSync(text);

/** Throws where it is damaged or too large. */
export function unpacked(bytes: Uint8Array): string {
  return gunzipSync(bytes, { maxOutputLength: TEXT_MAX }).toString();
}
