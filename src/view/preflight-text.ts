// Preflight as text: every check, then how to fix the failed ones, then what the cluster has.
import type { ClusterInventory, PreflightReport } from '../preflight/preflight-report.ts';
import { type Row, SECTIONS } from '../preflight/row.ts';
import { type Look, PLAIN, renderLines, renderParts } from './lines.ts';
import { plural, renderTable } from './table.ts';
import { hint, toned } from './tone.ts';

export function renderPreflight(report: PreflightReport, look: Look = PLAIN): string {
  const { rows, inventory, counts, exitStatus } = report;
  const table = renderTable(
    ['SECTION', 'RESULT', 'CHECK', 'FOUND'],
    rows.map(({ section, verdict, id, seen }, at) => [
      section === rows[at - 1]?.section ? '' : SECTIONS[section],
      verdict,
      id,
      short(seen),
    ]),
    { look, shorten: ['FOUND', 'SECTION'] },
  );
  const wrong = groupsOf(rows.filter(({ verdict }) => verdict !== 'pass')).map((group) =>
    renderWrong(group, look),
  );
  const sum = `${plural(rows.length, 'check')}: ${counts.pass} passed, ${plural(counts.warning, 'warning')}, ${counts.failure} failed; exit status ${exitStatus}`;
  return renderParts([table, ...wrong, renderInventory(inventory), renderLines([sum], look)]);
}

/** One cause may fail many checks; it is printed once. */
function groupsOf(rows: readonly Row[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const row of rows) {
    const key = JSON.stringify([row.verdict, row.seen, row.remedy]);
    const known = groups.get(key);
    groups.set(key, known ? [...known, row] : [row]);
  }
  return [...groups.values()];
}

const NAMED = 4;

type Group = readonly [Row, ...Row[]];

function renderWrong([first, ...others]: Group, look: Look): string {
  const { verdict, id, what, seen, remedy } = first;
  const named = [id, ...others.map((row) => row.id)].slice(0, NAMED).join(', ');
  const more = others.length + 1 - NAMED;
  const all = more > 0 ? `${named} and ${more} more` : named;
  const name = others.length > 0 ? all : `${id}: ${what}`;
  return renderLines([[toned(verdict), `: ${name}`], `  found: ${seen}`, hint(remedy ?? '')], look);
}

const LONGEST = 80;
const short = (text: string): string =>
  text.length > LONGEST ? `${text.slice(0, LONGEST - 3)}...` : text;

const GIB = 2 ** 30;

function renderInventory({
  version,
  nodes,
  storageClasses,
  namespaces,
  definitions,
}: ClusterInventory): string {
  const count = (list: readonly unknown[] | null, noun: string, many?: string) =>
    list ? plural(list.length, noun, many) : `unknown ${many ?? `${noun}s`}`;
  const first = [
    `Kubernetes ${version ?? 'unknown'}`,
    count(nodes, 'node'),
    count(storageClasses, 'StorageClass', 'StorageClasses'),
    count(namespaces, 'namespace'),
    count(definitions, 'CustomResourceDefinition'),
  ].join(', ');
  const each = (nodes ?? []).map(({ name, version: kubelet, runtime, allocatable }) => {
    const { cpu, memory, pods } = allocatable;
    const room = `${cpu.toFixed(1)} cores, ${(memory / GIB).toFixed(1)} GiB, ${pods} pods`;
    return `  ${name}: kubelet ${kubelet}, ${runtime}, ${room}`;
  });
  return renderLines([`Inventory: ${first}`, ...each]);
}

export function renderChanges(takenAt: string, changes: readonly string[]): string {
  if (changes.length === 0) return renderLines([`No changes since ${takenAt}`]);
  return renderLines([`Changed since ${takenAt}:`, ...changes.map((one) => `  ${one}`)]);
}
