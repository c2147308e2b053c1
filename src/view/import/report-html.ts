// The report of an import as one file that needs nothing else: no script, no font, no address of others.
import { createHash } from 'node:crypto';
import { groupBy } from '../../import/group.ts';
import {
  applicationsIn,
  type ImportReport,
  type ReportedEdge,
} from '../../import/report/import-report.ts';
import { compareText } from '../../model/names.ts';
import { renderLines } from '../lines.ts';
import { evidenceText, ranked, short } from './evidence-text.ts';
import { anchorOf, renderGraph } from './graph-svg.ts';
import { escapeHtml, tag, text } from './html.ts';
import { judgement } from './import-report-text.ts';
import { headingOf, nameBefore } from './notes-text.ts';
import { REPORT_STYLE } from './report-style.ts';
import { estimateLines, outcomeWord, summaryText } from './summary-text.ts';

export function renderImportHtml(report: ImportReport): string {
  const hash = createHash('sha256').update(REPORT_STYLE).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  const title = `Import of ${report.platform}`;
  return renderLines([
    '<!DOCTYPE html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    text('title', title),
    `<style>${REPORT_STYLE}</style>`,
    '</head>',
    '<body>',
    text('h1', title),
    text('p', `From ${report.from}.`),
    text('p', summaryText(report), { class: 'summary' }),
    ...unresolved(report),
    ...graph(report),
    ...dependencies(report),
    ...cycles(report),
    ...notes(report),
    ...problems(report),
    ...times(report),
    '</body>',
    '</html>',
  ]);
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = tag('tr', {}, ...header.map((cell) => text('th', cell)));
  const body = rows.map((row) => tag('tr', {}, ...row.map((cell) => tag('td', {}, cell))));
  return tag('div', { class: 'scroll' }, tag('table', {}, head, ...body));
}

const TEXT_MAX = 400;
const plain = (content: string): string => escapeHtml(short(content, TEXT_MAX));

function unresolved(report: ImportReport): string[] {
  if (report.unresolved.length === 0) return [];
  return [
    text('h2', `Unresolved references (${report.unresolved.length})`),
    text('p', 'Needed, and provided by no application that was read. The proposal is blind here.'),
    table(
      ['application', 'needs', 'seen in'],
      report.unresolved.map(({ application, what, where }) => [
        plain(application),
        plain(what),
        plain(where.join(', ')),
      ]),
    ),
  ];
}

function graph(report: ImportReport): string[] {
  if (report.stacks.length === 0) return [];
  return [
    text('h2', 'Graph'),
    text(
      'p',
      'What is on the left comes first. Solid lines are written (thick: hard), dashed ones suggested; what follows from others is not drawn. Point at a line for its evidence.',
    ),
    tag('div', { class: 'scroll graph' }, renderGraph(report)),
  ];
}

function dependencies(report: ImportReport): string[] {
  const numbered = report.edges.map((edge, at) => ({ edge, at }));
  const byDependent = groupBy(numbered, ({ edge }) => edge.dependent);
  const names = [...new Set(applicationsIn(report.stacks))];
  const numberOf = new Map(names.map((name, at) => [name, at]));
  const all = [...new Set([...names, ...byDependent.keys()])].sort(compareText);
  return [
    text('h2', 'Applications and what they depend on'),
    ...all.flatMap((name) => {
      const at = numberOf.get(name);
      const id = at === undefined ? {} : { id: anchorOf('app', at) };
      const edges = byDependent.get(name) ?? [];
      const heading = tag('h3', id, plain(name));
      if (edges.length === 0) return [heading, text('p', 'No dependency was found.')];
      return [heading, ...edges.map((one) => dependency(one.edge, one.at, report.order))];
    }),
  ];
}

function dependency(edge: ReportedEdge, at: number, order: ImportReport['order']): string {
  const head = [
    text('span', outcomeWord(edge.outcome, order), { class: `mark ${edge.outcome}` }),
    tag('b', {}, plain(edge.dependency)),
    plain(
      `${judgement(edge)}${edge.implied ? '; follows from others' : ''}${edge.waves === 'against' ? '; against the sync waves' : ''}`,
    ),
  ];
  const reasons = ranked(edge.evidence).map((one) =>
    tag(
      'li',
      {},
      text('code', short(one.kind, 40)),
      ' ',
      escapeHtml(`${one.strength}, ${one.confidence} confidence: ${evidenceText(one)}`),
    ),
  );
  const summary = tag('summary', {}, head.join(' '));
  return tag('details', { id: anchorOf('edge', at) }, summary, tag('ul', {}, ...reasons));
}

function list(heading: string, items: readonly string[]): string[] {
  if (items.length === 0) return [];
  return [text('h2', heading), tag('ul', {}, ...items.map((item) => tag('li', {}, plain(item))))];
}

function cycles(report: ImportReport): string[] {
  const items = report.cycles.map(({ cycle, dropped }) => {
    const round = [...cycle, ...cycle.slice(0, 1)].join(' -> ');
    const what = dropped
      ? `dropped ${dropped.dependent} -> ${dropped.dependency}`
      : 'every edge is hard: the platform cannot come up in any order';
    return `${round}; ${what}`;
  });
  return list('Cycles', items);
}

function notes(report: ImportReport): string[] {
  return [...groupBy(report.notes, ({ kind }) => headingOf(kind))].flatMap(([heading, found]) =>
    list(
      heading,
      found.map(({ application, text: said }) => `${nameBefore(said, application)}${said}`),
    ),
  );
}

const problems = (report: ImportReport): string[] =>
  list(
    'Not written',
    report.problems.map(({ subject, message }) => `${subject}: ${message}`),
  );

function times(report: ImportReport): string[] {
  const [heading = '', ...lines] = estimateLines(report);
  return list(heading, lines);
}
