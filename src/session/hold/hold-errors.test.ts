import { expect, test } from 'vitest';
import { holdRefused, projectHeld } from './hold-errors.ts';

const names = (count: number) => Array.from({ length: count }, (_, index) => `n${index + 1}`);

test.each([
  [1, 'n1'],
  [5, 'n1, n2, n3, n4, n5'],
  [6, 'n1, n2, n3, n4, n5 and 1 more'],
  [43, 'n1, n2, n3, n4, n5 and 38 more'],
])('of %d held names the first ones are told', (count, told) => {
  const hold = { platform: undefined, run: undefined, slot: 1, names: names(count), intact: false };
  const error = projectHeld('p', hold);
  expect(error.message).toContain(`has a hold without an owner on ${told}.`);
  expect(error.diagnostics[0]?.hint).toContain('annotation tiphys.dev/hold-1 back');
});

const POLICY =
  "appprojects.argoproj.io \"p\" is forbidden: ValidatingAdmissionPolicy 'tiphys-hold' with binding 'tiphys-hold' denied request: Pods of Tiphys change no metadata";

test.each([
  ['forbidden', 'User "x" cannot patch resource', 'cluster-forbidden', /^Grant the permission/],
  ['forbidden', 'admission webhook "w" denied the request: no', 'hold-not-written', /^Check the/],
  ['forbidden', POLICY, 'hold-not-written', /mutating webhook.*Exclude AppProjects/],
  ['invalid', POLICY, 'hold-not-written', /mutating webhook.*Exclude AppProjects/],
  ['invalid', 'spec.syncWindows: Invalid value', 'hold-not-written', /^Check the admission/],
] as const)('a hold that is refused as %s by %j says what to do', (reason, message, code, hint) => {
  const [told] = holdRefused('p', { kind: 'refused', reason, message }).diagnostics;
  expect(told).toMatchObject({ code, hint: expect.stringMatching(hint) });
  expect(told?.message).toContain(`"p"`);
  expect(told?.message).toContain(`: ${message}.`);
});
