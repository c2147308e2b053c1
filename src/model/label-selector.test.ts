import { describe, expect, test } from 'vitest';
import { parseLabelSelector, selectsLabels } from './label-selector.ts';
import { LABEL_SELECTOR_MAX } from './limits.ts';

const LABELS = new Map([
  ['team', 'shop'],
  ['app.kubernetes.io/name', 'web'],
  ['empty', ''],
]);

function selects(text: string): boolean {
  const selector = parseLabelSelector(text);
  if (!selector) throw new Error(`${text} is refused`);
  return selectsLabels(selector, LABELS);
}

describe('as kubectl reads them', () => {
  test.each([
    ['team=shop', true],
    ['team==shop', true],
    ['team = shop', true],
    ['team=other', false],
    ['none=shop', false],
    ['team!=shop', false],
    ['team != other', true],
    ['none!=shop', true],
    ['empty=', true],
    ['team=', false],
    ['team in (shop)', true],
    ['team in (a, shop,b)', true],
    ['team in (a,b)', false],
    ['none in (a)', false],
    ['team notin (a,b)', true],
    ['team notin(shop)', false],
    ['none notin (a)', true],
    ['empty in ()', true],
    ['team', true],
    ['none', false],
    ['!team', false],
    ['! none', true],
    ['app.kubernetes.io/name=web', true],
    ['team=shop,app.kubernetes.io/name in (web,api),!none', true],
    ['team=shop,none', false],
  ])('%s: %s', (text, selected) => expect(selects(text)).toBe(selected));
});

test.each([
  ...['', ',', 'team=shop,', '=shop', '!', '!=a', 'team=a b', 'team=a=b'],
  ...['team in', 'team in a', 'team in (a', 'team in a)', 'team in ((a))', 'team within (a)'],
  ...['-team=a', 'team=-a', 'Example.com/team=a', 'a/b/c', 'team>1', 'team in (a b)', 'tëam=a'],
  'a'.repeat(LABEL_SELECTOR_MAX + 1),
])('%j is refused', (text) => {
  expect(parseLabelSelector(text)).toBeUndefined();
});
