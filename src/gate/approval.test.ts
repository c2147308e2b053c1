// What a gate that asks for approval makes of a decision.
import { describe, expect, test } from 'vitest';
import { application, gateInput } from '../../test/fakes/application.ts';
import type { GateInput } from './conditions.ts';
import { judge } from './gate.ts';

const asking = (decision: GateInput['decision']): GateInput =>
  gateInput({}, { settings: { ...gateInput().settings, approval: 'Unseal Vault' }, decision });

describe('approval', () => {
  const approved = { approved: true, by: 'jane', at: '2026-01-02T03:04:05Z' };
  const denied = { ...approved, approved: false, reason: 'no keys today' };

  test('opens with who gave it and when', () => {
    const verdict = judge(asking(approved));
    expect(verdict.open && verdict.evidence.approval).toEqual(approved);
  });

  test('a denial says who, when and why', () => {
    const verdict = judge(asking(denied));
    expect(verdict.open || verdict.unmet.message).toBe(
      'denied by jane at 2026-01-02T03:04:05Z: no keys today',
    );
  });

  test('keeps nothing shut where nobody looked, and is no evidence then', () => {
    const verdict = judge(asking('unread'));
    expect(verdict.open && 'approval' in verdict.evidence).toBe(false);
    expect(verdict.open).toBe(true);
  });

  test.each([undefined, approved, denied])('without the key, %j counts for nothing', (decision) => {
    expect(judge(gateInput({}, { decision }))).toEqual(judge(gateInput()));
  });

  test('nobody is asked about what is not Healthy', () => {
    const health = { status: 'Degraded', message: '', lastTransition: 't1' };
    const input = asking(undefined);
    const verdict = judge({ ...input, application: application({ health }) });
    expect(verdict.open || verdict.unmet.condition).toBe('healthy');
  });
});
