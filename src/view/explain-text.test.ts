import { expect, test } from 'vitest';
import { API_VERSION } from '../model/api-version.ts';
import type { ExplainedRun, Link } from '../report/explanation.ts';
import { renderExplanation } from './explain-text.ts';

const link: Link = {
  ...{ node: 'app:dns', condition: 'healthy', resource: null, evidence: null },
  message: 'it is Progressing',
};
const next = (run: ExplainedRun | null, part: Partial<Link> = {}) =>
  renderExplanation({
    ...{ apiVersion: API_VERSION, kind: 'Explanation', platform: 'shop', node: 'app:dns', run },
    chain: [{ ...link, ...part }],
  }).split('next: ')[1];

const ACTIVE = { run: 'r1', state: 'active' } as const;
const UNFINISHED = { run: 'r1', state: 'unfinished' } as const;

test('what gets better by itself is not to be fixed', () => {
  expect(next(null)).toBe('no run is active; run `tiphys deploy`\n');
  expect(next(ACTIVE)).toBe('wait: run r1 is active; follow it with `tiphys status --watch`\n');
  expect(next(UNFINISHED)).toBe('run r1 was interrupted; rerun its command to resume it\n');
});

test('what does not is', () => {
  const broken = { broken: true } as const;
  expect(next(null, broken)).toBe('fix "dns" in Git, then run `tiphys deploy` again\n');
  expect(next(UNFINISHED, broken)).toBe('fix "dns" in Git, then run `tiphys deploy` again\n');
  expect(next(ACTIVE, broken)).toMatch(/^fix "dns" in Git; run r1 is active and tries again/);
});

/** What was asked about, and each link of the chain. */
const chainOf = (node: string, chain: readonly Link[]): string =>
  renderExplanation({
    ...{ apiVersion: API_VERSION, kind: 'Explanation', platform: 'shop', node, run: null },
    chain,
  }).split('next: ')[0] ?? '';

test('a stack and the platform are named, although only their members have a reason', () => {
  const chain: Link[] = [{ ...link, node: 'app:api', message: 'it waits' }, link];
  expect(chainOf('close:stack:shop', chain)).toBe(
    'stack:shop: not everything in it is healthy\n  because api: it waits\n    because dns: it is Progressing\n',
  );
  expect(chainOf('close:platform', [link])).toMatch(/^platform: not everything in it is healthy\n/);
  expect(chainOf('app:api', chain)).toMatch(/^api: it waits\n {2}because dns: /);
});

test('what is healthy is named', () => {
  expect(chainOf('close:stack:shop', [])).toBe('stack:shop: healthy, with all its dependencies\n');
  expect(chainOf('app:dns', [{ ...link, condition: 'open' }])).toBe('dns: healthy\n');
});
