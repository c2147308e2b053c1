// A recording as one SVG file: frames side by side, and a style that moves from one to the next. No script, no font of its own;
// light or dark as the reader's system is. Where nothing may move, the last frame is shown.
import { COLUMNS, type Frame, ROWS } from './record.ts';
import type { Row, Run } from './terminal.ts';

const CELL = 8;
const LINE = 17;
const MARGIN = 14;
const WIDTH = COLUMNS * CELL + 2 * MARGIN;
const HEIGHT = ROWS * LINE + 2 * MARGIN;
/** So long the last frame stays before it all begins again. */
const END_MS = 15_000;

const COLOURS = [
  ...[31, 32, 33, 34, 35, 36].map((code) => `c${code}`),
  ...['c90', 'back', 'edge', 'text'],
];
const LIGHT = '#b3261e #1a7f37 #8a5a00 #0550ae #8250df #0a6a75 #59636e #ffffff #d1d9e0 #1f2328';
const DARK = '#ff7b72 #3fb950 #d29922 #58a6ff #bc8cff #39c5cf #8b949e #0d1117 #30363d #e6edf3';

export function renderSvg(frames: readonly Frame[], title: string): string {
  const rows = new Map<string, number>();
  const shown = frames.map(({ rows: screen }, at) => renderFrame(screen, at, rows));
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img">`,
    `<title>${escaped(title)}</title>`,
    '<style>',
    ...style(frames),
    '</style>',
    '<defs>',
    ...[...rows].map(([row, id]) => `<text id="r${id}">${row}</text>`),
    '</defs>',
    `<rect class="back" x=".5" y=".5" width="${WIDTH - 1}" height="${HEIGHT - 1}" rx="8"/>`,
    '<g class="film">',
    ...shown,
    '</g>',
    '</svg>',
  ].join('\n')}\n`;
}

/** Equal rows are written once. */
function renderFrame(screen: readonly Row[], at: number, rows: Map<string, number>): string {
  const uses = screen.flatMap((row, line) => {
    const text = row.map(renderRun).join('');
    if (text === '') return [];
    const id = rows.get(text) ?? rows.size;
    rows.set(text, id);
    return `<use href="#r${id}" x="${at * WIDTH + MARGIN}" y="${MARGIN + (line + 1) * LINE - 5}"/>`;
  });
  return `<g>${uses.join('')}</g>`;
}

/** The width is set, so that columns stay columns in every font. */
function renderRun({ text, codes }: Run): string {
  const style = codes.length > 0 ? ` class="${codes.map((code) => `c${code}`).join(' ')}"` : '';
  return `<tspan textLength="${text.length * CELL}"${style}>${escaped(text)}</tspan>`;
}

function style(frames: readonly Frame[]): string[] {
  const total = (frames.at(-1)?.at ?? 0) + END_MS;
  const last = -(frames.length - 1) * WIDTH;
  const steps = frames.map(({ at }, index) => {
    const percent = index === 0 ? 0 : ((100 * at) / total).toFixed(2);
    return `${percent}%{transform:translateX(${-index * WIDTH}px)}`;
  });
  return [
    `svg{${variables(LIGHT)}}`,
    `@media (prefers-color-scheme:dark){svg{${variables(DARK)}}}`,
    'text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;white-space:pre;fill:var(--text)}',
    '.back{fill:var(--back);stroke:var(--edge)}.c1{font-weight:bold}.c2{opacity:.7}',
    ...[31, 32, 33, 34, 35, 36, 90].map((code) => `.c${code}{fill:var(--c${code})}`),
    `.film{transform:translateX(${last}px);animation:film ${total / 1000}s step-end infinite}`,
    `@keyframes film{${steps.join('')}}`,
    '@media (prefers-reduced-motion:reduce){.film{animation:none}}',
  ];
}

const variables = (palette: string) =>
  palette
    .split(' ')
    .map((colour, at) => `--${COLOURS[at]}:${colour}`)
    .join(';');

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
