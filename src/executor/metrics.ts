// What came of an action, as Prometheus reads it.
import { type ExecutorReport, STATUS_WORDS } from './executor-report.ts';

/** Seconds: from a validation to the longest run. */
const BUCKETS = [1, 5, 15, 60, 300, 900, 1800, 3600, 7200];

export function renderMetrics(report: ExecutorReport): string {
  const { action, exitStatus, components, failures } = report;
  const base = { action, environment: report.environment ?? '' };
  const seconds = report.statistics.durationSeconds;
  const buckets = [...BUCKETS, Number.POSITIVE_INFINITY].map((bound) => {
    const le = bound === Number.POSITIVE_INFINITY ? '+Inf' : String(bound);
    return sample('executor_action_duration_seconds_bucket', { ...base, le }, seconds <= bound);
  });
  const errors = new Map<string, number>();
  for (const { type } of failures) errors.set(type, (errors.get(type) ?? 0) + 1);
  return [
    ...head('executor_action_duration_seconds', 'histogram', 'Duration of the action.'),
    ...buckets,
    sample('executor_action_duration_seconds_sum', base, seconds),
    sample('executor_action_duration_seconds_count', base, 1),
    ...head('executor_action_status', 'gauge', 'Result of the action: 1 for the actual status.'),
    ...STATUS_WORDS.map((status) =>
      sample('executor_action_status', { ...base, status }, status === STATUS_WORDS[exitStatus]),
    ),
    ...head('executor_component_health', 'gauge', '1 for a healthy component.'),
    ...components.map(({ name, healthy }) =>
      sample('executor_component_health', { ...base, component: name }, healthy),
    ),
    ...head('executor_errors_total', 'counter', 'Errors by type.'),
    ...[...errors].map(([type, count]) =>
      sample('executor_errors_total', { ...base, type }, count),
    ),
    '',
  ].join('\n');
}

function head(name: string, type: string, help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

function sample(name: string, labels: Readonly<Record<string, string>>, value: number | boolean) {
  const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escaped(text)}"`);
  return `${name}{${pairs.join(',')}} ${Number(value)}`;
}

function escaped(text: string): string {
  return text.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n');
}
