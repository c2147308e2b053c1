// The gate: a pure function from observations to a verdict. It opens only on proof; Healthy alone proves nothing.
import { renderResource } from '../ports/application-view.ts';
import { CONDITIONS, type GateInput } from './conditions.ts';
import type { Evidence } from './evidence.ts';
import type { Verdict } from './verdict.ts';

type Judged = Pick<(typeof CONDITIONS)[number], 'name' | 'unmet'>;

/** Judges the conditions in order. Tests leave one out to prove that it is needed. */
export function judge(input: GateInput, conditions: readonly Judged[] = CONDITIONS): Verdict {
  for (const { name, unmet } of conditions) {
    const reason = unmet(input);
    if (reason) return { open: false, unmet: { condition: name, ...reason } };
  }
  return { open: true, evidence: evidenceOf(input) };
}

function evidenceOf(input: GateInput): Evidence {
  const { application, operation, settings, decision, probe } = input;
  const without = application.resources.filter(({ health }) => health === undefined);
  const sound = ['Healthy', application.health.status];
  const ignored = application.resources.filter(
    ({ health }) => health && !sound.includes(health.status),
  );
  return {
    uid: application.uid,
    resourceVersion: application.resourceVersion,
    operation: operation?.id ?? null,
    revisions: application.sync.revisions,
    finishedAt: operation?.finishedAt ?? null,
    reconciledAt: application.reconciledAt ?? 0,
    healthSince: application.health.lastTransition ?? null,
    resources: application.resources.length,
    withoutHealth: [
      ...new Set(without.map(({ group, kind }) => (group ? `${group}/${kind}` : kind))),
    ].sort(),
    ignored: ignored.map(renderResource).sort(),
    ...(settings.approval !== undefined &&
      decision !== undefined &&
      decision !== 'unread' && { approval: decision }),
    ...(settings.probe !== undefined && probe !== undefined && probe !== 'unread' && { probe }),
  };
}
