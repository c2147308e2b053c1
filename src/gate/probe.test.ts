// What a gate with a probe makes of its result.
import { describe, expect, test } from 'vitest';
import { application, gateInput } from '../../test/fakes/application.ts';
import { type GateInput, traitsOf } from './conditions.ts';
import { judge } from './gate.ts';
import { neverSucceeded } from './probe-result.ts';

const TARGET = 'http://vault:8200/';
const GOOD = { succeeded: true, target: TARGET, message: 'HTTP 200', at: 't', tries: 2 };
const BAD = { ...GOOD, succeeded: false, message: 'HTTP 503' };

const probing = (probe: GateInput['probe'], part: Partial<GateInput> = {}): GateInput => {
  const settings = { ...gateInput().settings, probe: { http: TARGET, timeout: 10 } };
  return gateInput({}, { settings, probe, ...part });
};

describe('a probe', () => {
  test('opens with what was answered', () => {
    const verdict = judge(probing(GOOD));
    expect(verdict.open && verdict.evidence.probe).toEqual(GOOD);
  });

  test.each([
    [undefined, 'the probe has not succeeded yet'],
    [BAD, 'the probe failed: HTTP 503'],
  ])('keeps it shut: %j', (probe, message) => {
    const unmet = { condition: 'probed', message, resource: TARGET };
    expect(judge(probing(probe))).toEqual({ open: false, unmet });
  });

  test('keeps nothing shut for whoever only looks, and is no evidence then', () => {
    const verdict = judge(probing('unread'));
    expect(verdict.open && 'probe' in verdict.evidence).toBe(false);
    expect(verdict.open).toBe(true);
  });

  test.each([undefined, GOOD, BAD])('without the key, %j counts for nothing', (probe) => {
    expect(judge(gateInput({}, { probe }))).toEqual(judge(gateInput()));
  });

  test('comes after health and approval, and before the dwell', () => {
    const health = { status: 'Degraded', message: '', lastTransition: 't1' };
    const conditionOf = (input: GateInput) => {
      const verdict = judge(input);
      return verdict.open || verdict.unmet.condition;
    };
    expect(conditionOf({ ...probing(BAD), application: application({ health }) })).toBe('healthy');
    const settings = { ...probing(BAD).settings, approval: 'Unseal Vault' };
    expect(conditionOf(probing(BAD, { settings }))).toBe('approved');
    const before = judge(gateInput());
    expect(conditionOf(probing(BAD, before.open ? { before: before.evidence } : {}))).toBe(
      'probed',
    );
  });

  test('a sync does not mend it, and only asking tells', () => {
    expect(traitsOf('probed')).toMatchObject({
      ...{ afterSynced: true, passing: 'change', learnt: 'asked', shownAs: 'Progressing' },
    });
  });

  test('one whose time was up says what the last one said', () => {
    const timedOut = 'the probe did not succeed within 5m (timeouts.health); ';
    expect(neverSucceeded('the probe failed: HTTP 503', 'within 5m (timeouts.health)')).toBe(
      `${timedOut}last result: HTTP 503`,
    );
    expect(neverSucceeded('the probe has not succeeded yet', 'within 5m (timeouts.health)')).toBe(
      `${timedOut}the probe has not succeeded yet`,
    );
  });
});
