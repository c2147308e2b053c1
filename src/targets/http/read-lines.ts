// Bytes -> lines.
import { oversized } from './answer-limits.ts';

export async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
  longest: number,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  // Joined once it is whole: a long line comes in many pieces.
  let begun: string[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    const [first = '', ...more] = decoder.decode(chunk, { stream: true }).split('\n');
    begun.push(first);
    length += first.length;
    if (length > longest) throw oversized('a line of the answer', longest);
    const rest = more.pop();
    if (rest === undefined) continue;
    yield* [begun.join(''), ...more].filter((line) => line !== '');
    begun = [rest];
    length = rest.length;
  }
  const last = begun.join('');
  if (last !== '') yield last;
}
