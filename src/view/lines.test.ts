import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printable, renderJson, renderJsonLine, renderLines, renderText } from './lines.ts';

const HOSTILE = [
  ['erases a line', '\u001b[2K\u001b[1A'],
  ['writes to the clipboard', '\u001b]52;c;aGk=\u0007'],
  ['sets the title', '\u001b]0;x\u0007'],
  ['uses a control character of eight bits', '\u009b2K'],
  ['turns the direction', 'a\u202eb\u2066'],
  ['hides characters', 'a\u200b\u2060\ufeff'],
  ['is half of a pair', '\ud83d'],
] as const;

test.each(HOSTILE)('a text that %s shows what it is', (_title, text) => {
  expect(printable(text)).toMatch(/^[ -~]+$/);
  expect(renderJsonLine({ text })).toMatch(/^[ -~]+\n$/);
  expect(JSON.parse(renderJsonLine({ text }))).toEqual({ text });
});

test.each([...HOSTILE, ['has a colour', '\u001b[31m'] as const])(
  'a text that %s shows what it is in colour, too',
  (_title, text) => {
    const shown = renderText(['a ', { text, tone: 'bad' }, text], { isColoured: true });
    const harmless = printable(text);
    expect(shown).toBe(`a \u001b[31m${harmless}\u001b[0m${harmless}`);
    expect(renderText({ text, tone: 'bad' })).toBe(harmless);
  },
);

test('a text with line breaks stays one line', () => {
  const forged = 'bad\r\nvault  identity  Healthy\u2028x\ty';
  expect(renderLines(['a', forged])).toBe('a\nbad vault  identity  Healthy x y\n');
});

test('words of any language stay as they are', () => {
  const text = 'Größe → 大小 ✓ 🙂 naïve';
  expect(printable(text)).toBe(text);
});

test('JSON stays JSON, and no character of it is a command', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const json = renderJson({ [text]: text });
      expect(json.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      expect(JSON.parse(json)).toEqual({ [text]: text });
    }),
  );
});

test('what is printable already does not change', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const once = printable(text);
      expect(once).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
      expect(printable(once)).toBe(once);
    }),
  );
});
