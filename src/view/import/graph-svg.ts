// The graph of an import as SVG, without scripts: titles tell the evidence, and links lead to the tables below.
import {
  applicationsIn,
  type ImportReport,
  type ReportedEdge,
} from '../../import/report/import-report.ts';
import { reasonText, short } from './evidence-text.ts';
import { type Placed, placeApplications } from './graph-layout.ts';
import { tag, text } from './html.ts';
import { judgement } from './import-report-text.ts';

const [BOX_WIDTH, BOX_HEIGHT, GAP_X, GAP_Y, MARGIN] = [168, 26, 92, 10, 12];
const LABEL_MAX = 24;

export const anchorOf = (kind: 'edge' | 'app', at: number): string => `${kind}-${at}`;

export function renderGraph(report: ImportReport): string {
  const names = [...new Set(applicationsIn(report.stacks))];
  const places = placeApplications(names, report.edges);
  const drawn = report.edges
    .map((edge, at) => ({ edge, at }))
    .filter(
      ({ edge }) => isDrawn(edge) && places.has(edge.dependent) && places.has(edge.dependency),
    );
  const columns = Math.max(0, ...[...places.values()].map(({ column }) => column)) + 1;
  const rows = Math.max(0, ...[...places.values()].map(({ row }) => row)) + 1;
  const width = 2 * MARGIN + columns * BOX_WIDTH + (columns - 1) * GAP_X;
  const height = 2 * MARGIN + rows * (BOX_HEIGHT + GAP_Y);
  return tag(
    'svg',
    {
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: 'img',
      'aria-label': 'graph of dependencies',
    },
    ...drawn.map(({ edge, at }) => edgeMark(edge, at, places)),
    ...[...places.values()].map((place) => box(place, names.indexOf(place.name))),
  );
}

/** What other edges say as well would only be ink. */
const isDrawn = ({ outcome, implied }: ReportedEdge): boolean =>
  (outcome === 'written' && !implied) || outcome === 'suggested';

const left = ({ column }: Placed): number => MARGIN + column * (BOX_WIDTH + GAP_X);
const middle = ({ row }: Placed): number => MARGIN + row * (BOX_HEIGHT + GAP_Y) + BOX_HEIGHT / 2;

function edgeMark(edge: ReportedEdge, at: number, places: ReadonlyMap<string, Placed>): string {
  const [from, to] = [places.get(edge.dependency), places.get(edge.dependent)];
  if (!from || !to) return '';
  const [x1, y1, x2, y2] = [left(from) + BOX_WIDTH, middle(from), left(to), middle(to)];
  const bend = Math.max(GAP_X / 2, Math.abs(x2 - x1) / 2);
  const path = `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
  const title = `${edge.dependent} needs ${edge.dependency} (${edge.outcome}, ${judgement(edge)}): ${reasonText(edge)}`;
  return tag(
    'a',
    { href: `#${anchorOf('edge', at)}` },
    tag('path', { d: path, class: `edge ${edge.outcome} ${edge.strength}` }, text('title', title)),
  );
}

function box(place: Placed, at: number): string {
  const [x, y] = [left(place), middle(place) - BOX_HEIGHT / 2];
  return tag(
    'a',
    { href: `#${anchorOf('app', at)}` },
    tag('rect', { x, y, width: BOX_WIDTH, height: BOX_HEIGHT, rx: 4 }, text('title', place.name)),
    text('text', short(place.name, LABEL_MAX), { x: x + 8, y: y + 17 }),
  );
}
