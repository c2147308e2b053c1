// The findings of lint as text: what is wrong, where, and what to do; then what stays, and why.
import type { LintFinding, LintReport } from '../lint/finding.ts';
import { renderLines, renderParts } from './lines.ts';
import { plural } from './table.ts';

export function renderLint(report: LintReport): string {
  return renderParts([
    renderLines(report.findings.flatMap(findingLines)),
    renderLines(keptLines(report)),
    renderLines(uncheckedLines(report)),
    renderLines([summary(report)]),
  ]);
}

function findingLines(finding: LintFinding): string[] {
  const { level, rule, application, object, message, fix, place } = finding;
  const subject = object === null ? application : `${application}: ${object}`;
  const line = place?.line === undefined ? '' : `:${place.line}`;
  const where = place ? ` (${place.file}${line})` : '';
  return [`${level}[${rule}]: ${subject}${where}`, `  ${message}`, `  fix: ${fix}`];
}

function keptLines({ kept }: LintReport): string[] {
  if (kept.length === 0) return [];
  return [
    'Jobs, hooks and init containers that change something stay:',
    ...kept.map(({ application, object, because }) => `  ${application}: ${object} (${because})`),
  ];
}

function uncheckedLines({ problems, unchecked }: LintReport): string[] {
  const said = new Set(problems.map(({ subject }) => subject));
  return [
    ...problems.map(({ subject, message }) => `not checked: ${subject}: ${message}`),
    ...unchecked
      .filter((name) => !said.has(name))
      .map((name) => `not checked: ${name}: The manifests that it deploys are not known.`),
  ];
}

function summary(report: LintReport): string {
  const { findings } = report;
  const count = (level: LintFinding['level']) =>
    findings.filter((one) => one.level === level).length;
  const looked = checkedText(report);
  if (findings.length === 0) return `${looked}: no waits or waves that the graph should replace.`;
  return `${looked}: ${plural(count('error'), 'error')}, ${plural(count('warning'), 'warning')}, ${plural(count('note'), 'note')}.`;
}

function checkedText({ applications, unchecked, problems }: LintReport): string {
  const all = plural(applications, 'application');
  if (unchecked.length > 0)
    return `${applications - unchecked.length} of ${all} checked, ${unchecked.length} not or only in part`;
  return problems.length > 0 ? `${all} checked, as far as they could be read` : `${all} checked`;
}

/**
 * A Kustomize component for each Application: in another one, an object of the same kind and name may do more than wait. Sync waves belong to
 * the kustomizations of parents; Applications have their names alone.
 */
export function renderPatches({ findings }: LintReport): string {
  const components = new Map<string, string[]>();
  for (const { patch, rule, application, message, fix } of findings) {
    if (patch === null) continue;
    const place = rule === 'wave-needless' ? WAVES : `Application ${application}`;
    const patches = components.get(place) ?? [];
    components.set(place, [...patches, `  # ${message}`, `  # ${fix}`, ...listItem(patch)]);
  }
  return renderLines([
    ...[...components].flatMap(([place, patches], at) => [
      ...(at === 0 ? [] : ['---']),
      `# ${place}: a Kustomize component for its kustomization.`,
      'apiVersion: kustomize.config.k8s.io/v1alpha1',
      'kind: Component',
      'patches:',
      ...patches,
    ]),
    ...findings.filter(isHeldBack).map(({ message, fix }) => `# Not removed: ${message} ${fix}`),
  ]);
}

/** Removed, it would take an order with it that nothing else keeps. */
const isHeldBack = ({ rule, patch }: LintFinding): boolean =>
  patch === null && (rule === 'wait-for-application' || rule === 'wave-needed');

const WAVES = 'Parents of Applications with sync waves';

const listItem = (text: string): string[] =>
  text
    .trimEnd()
    .split(/\n/)
    .map((line, at) => `${at === 0 ? '  - ' : '    '}${line}`);
