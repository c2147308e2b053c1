// A WebAssembly module -> the same with an upper bound of its memory, for which Go's linker has no option. Where the memory
// cannot grow any more, Go's runtime ends the instance.

const SECTION_MEMORY = 5;
/** Magic number and version. */
const HEADER_BYTES = 8;

export function limitMemory(module: Uint8Array, pagesMax: number): Uint8Array {
  for (let at = HEADER_BYTES; at < module.length; ) {
    const [size, start] = readNumber(module, at + 1);
    const end = start + size;
    if (module[at] === SECTION_MEMORY) {
      const section = memorySection(module.subarray(start, end), pagesMax);
      return Buffer.concat([module.subarray(0, at), section, module.subarray(end)]);
    }
    at = end;
  }
  throw new Error('The module has no memory.');
}

/** One memory, whose limits begin with 0: a lower bound alone. */
function memorySection(content: Uint8Array, pagesMax: number): Uint8Array {
  if (content[0] !== 1 || content[1] !== 0)
    throw new Error('The memory of the module has bounds already.');
  const [pagesMin] = readNumber(content, 2);
  const limited = [1, 1, ...numberBytes(pagesMin), ...numberBytes(pagesMax)];
  return Uint8Array.from([SECTION_MEMORY, ...numberBytes(limited.length), ...limited]);
}

/** LEB128, with the place after it. */
function readNumber(bytes: Uint8Array, from: number): [value: number, next: number] {
  let value = 0;
  for (let at = from; ; at++) {
    const byte = bytes[at] ?? 0;
    value += (byte & 0x7f) * 2 ** (7 * (at - from));
    if (byte < 0x80) return [value, at + 1];
  }
}

function numberBytes(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 0x80) | 0x80, ...numberBytes(Math.floor(value / 0x80))];
}
