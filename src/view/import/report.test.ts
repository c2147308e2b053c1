import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { proposalOf, proposedEdge } from '../../../test/fakes/import.ts';
import { EVERYTHING, reportOf } from '../../../test/fakes/import-report.ts';
import { renderImportReport } from './import-report-text.ts';
import { renderImportHtml } from './report-html.ts';

const pair = { dependent: 'old', dependency: 'older', evidence: 'dns' };
const REPORT = reportOf(EVERYTHING, [pair]);

test('as text', () => expect(renderImportReport(REPORT, undefined)).toMatchSnapshot());

test('what nobody provides comes first', () => {
  expect(renderImportReport(REPORT, undefined)).toMatch(/^Unresolved/);
});

test('the order of the waves: the summary counts what is in the file', () => {
  const pairs = [proposedEdge('db', 'operator'), proposedEdge('web', 'db')];
  const proposal = proposalOf(pairs, { platform: 'shop', waves: { operator: -1, db: 0, web: 1 } });
  const { summary } = reportOf(proposal, [], 'waves');
  expect(summary).toMatchObject({ applications: 3, stacks: 3, ofWaves: 2, written: 2 });
  expect(renderImportReport(reportOf(proposal, [], 'waves'), undefined)).toContain(
    'shop: 3 applications in 3 stacks by sync waves; 2 dependencies between stacks written, 2 dependencies proposed by evidence (not written), 0 suggested\n',
  );
  expect(reportOf(proposal).summary.ofWaves).toBe(0);
});

test('what is saved is the most, where something was not read', () => {
  const pairs = [proposedEdge('db', 'operator'), proposedEdge('web', 'operator')];
  const said = (notes: typeof REPORT.notes) =>
    renderImportReport(reportOf(proposalOf(pairs, { waves: WAVES, notes })), undefined);
  const WAVES = { operator: 0, db: 1, web: 2 };
  expect(said([])).toMatch(/The evidence would save about \S+\.\n/);
  for (const kind of ['read-problem', 'content-unknown'])
    expect(said([{ kind, text: 'web' }])).toContain('would save at most about');
});

test('lines end with the terminal', () => {
  const lines = renderImportReport(REPORT, 50).split('\n');
  // The summary is wanted whole.
  expect(lines.slice(0, -2).filter((line) => line.length > 50)).toEqual([]);
});

test('edges that follow from others are counted, not shown', () => {
  const text = renderImportReport(REPORT, undefined);
  expect(
    REPORT.edges.filter(({ implied }) => implied).map((e) => `${e.dependent}>${e.dependency}`),
  ).toEqual(['web>operator']);
  expect(text).toContain('Dependencies (1 more follows from these)');
  expect(text).not.toMatch(/^ {2}web\n(?: {4}.*\n)* {4}written +operator/m);
});

test('as data: what became of each edge', () => {
  expect(REPORT.edges.map((e) => `${e.dependent}>${e.dependency} ${e.outcome}`)).toEqual([
    'cache>db rejected',
    'cache>operator written',
    'db>operator written',
    'logs>Bad Name refused',
    'web>cache suggested',
    'web>db written',
    'web>logs eventual',
    'web>operator written',
  ]);
  expect(REPORT).toMatchObject({
    ...{ kind: 'ImportReport', apiVersion: 'tiphys.dev/v1alpha1', exitStatus: 2 },
    staleDecisions: [pair],
  });
});

test('a platform that was read and written as a whole', () => {
  const report = reportOf(proposalOf([proposedEdge('a', 'b')]));
  expect(report.exitStatus).toBe(0);
});

const EVIL = '"><script>alert(1)</script><img src=x onerror=alert(1)> \u001b[31m \u202e & \' `';
const HOSTILE = proposalOf(
  [
    proposedEdge(EVIL, 'b', {
      evidence: [{ kind: EVIL, strength: 'hard', confidence: 'high', text: EVIL, where: EVIL }],
    }),
    proposedEdge('a', 'b', {
      evidence: [{ kind: EVIL, strength: 'hard', confidence: 'high', text: EVIL, where: EVIL }],
    }),
  ],
  {
    platform: EVIL,
    unresolved: [{ application: EVIL, kind: EVIL, what: EVIL, where: [EVIL] }],
    cycles: [{ cycle: [EVIL], dropped: { dependent: EVIL, dependency: EVIL } }, { cycle: [EVIL] }],
    notes: [{ kind: EVIL, application: EVIL, text: EVIL }],
    waves: { [EVIL]: 3 },
  },
);

test('nothing of the text from outside is markup, or acts on a terminal', () => {
  const html = renderImportHtml(reportOf(HOSTILE));
  expect(html).not.toMatch(/<script|<img/i);
  expect(html.replaceAll('&#39;', '').replaceAll('&quot;', '')).not.toContain('onerror="');
  for (const text of [html, renderImportReport(reportOf(HOSTILE), 80)])
    expect(text).not.toMatch(/[^\P{C}\n]/u);
});

test('the page needs nothing from anywhere, and runs no script', () => {
  const html = renderImportHtml(REPORT);
  const [, style = ''] = /<style>(.*)<\/style>/.exec(html) ?? [];
  const hash = createHash('sha256').update(style).digest('base64');
  const [, policy = ''] = /Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
  expect(policy).toContain('default-src &#39;none&#39;');
  expect(policy).toContain(`style-src &#39;sha256-${hash}&#39;`);
  expect(html).not.toMatch(/<script|\sstyle=|\son\w+=|(?:src|href)="(?!#)|url\(|@import|https?:/i);
  expect(style).toContain('prefers-color-scheme:dark');
});

test('every tag of the page is closed, and every link leads somewhere', () => {
  const html = renderImportHtml(REPORT);
  const open: string[] = [];
  for (const [, slash, name = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^>]*>/gi)) {
    if (name === 'meta') continue;
    if (slash === '') open.push(name);
    else expect(open.pop()).toBe(name);
  }
  expect(open).toEqual([]);
  const targets = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  expect(targets.length).toBeGreaterThan(5);
  const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(targets.filter((id) => !ids.includes(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
});

test('each drawn edge tells its evidence', () => {
  const html = renderImportHtml(REPORT);
  expect(html.match(/<path [^>]*class="edge/g)).toHaveLength(4);
  expect(html).toContain('db needs operator (written, hard): needs crd (Deployment/it)');
});
