import { expect, test } from 'vitest';
import { renderTable, tableWidth } from './table.ts';
import { widthOf } from './width.ts';

const HEADER = ['NAME', 'STATE', 'REASON'];
const ROWS = [
  ['vault', 'Degraded', 'Back-off restarting failed container'],
  ['postgres-platform', 'Healthy', ''],
];
const shorten = ['REASON', 'NAME'];
const lines = (columns: number | undefined) =>
  renderTable(HEADER, ROWS, { look: { columns }, shorten }).trimEnd().split('\n');

test('as wide as it is where nothing limits it', () => {
  expect(lines(undefined)).toEqual([
    'NAME               STATE     REASON',
    'vault              Degraded  Back-off restarting failed container',
    'postgres-platform  Healthy',
  ]);
  expect(tableWidth([HEADER, ROWS])).toBe(65);
});

test('the least important column gives way first, and only as much as it must', () => {
  expect(lines(64)[1]).toBe('vault              Degraded  Back-off restarting failed contain…');
  expect(lines(50)).toEqual([
    'NAME               STATE     REASON',
    'vault              Degraded  Back-off restarting…',
    'postgres-platform  Healthy',
  ]);
});

test('the name gives way last', () => {
  expect(lines(40)).toEqual([
    'NAME            STATE     REASON',
    'vault           Degraded  Back-off rest…',
    'postgres-plat…  Healthy',
  ]);
});

test('it is never wider than the terminal, as far as headers fit', () => {
  for (let columns = 23; columns < 70; columns++) {
    for (const line of lines(columns)) expect(widthOf(line)).toBeLessThanOrEqual(columns);
  }
});

test('a column that can be left out is, before another is shortened', () => {
  const narrow = (columns: number) =>
    renderTable(HEADER, ROWS, { look: { columns }, leaveOut: ['STATE'], shorten }).split('\n')[1];
  expect(narrow(65)).toBe('vault              Degraded  Back-off restarting failed container');
  expect(narrow(64)).toBe('vault              Back-off restarting failed container');
  expect(narrow(54)).toBe('vault              Back-off restarting failed contain…');
});

test('colours change neither widths nor words', () => {
  const coloured = renderTable(HEADER, ROWS, { look: { columns: 50, isColoured: true }, shorten });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are the colours.
  const codes = /\u001b\[\d+m/g;
  expect(coloured.match(codes)?.length).toBeGreaterThan(6);
  expect(coloured.replace(codes, '').trimEnd().split('\n')).toEqual(lines(50));
});
