// The conformance suite on the real thing: what the rehearsal must do as well.
import { describe } from 'vitest';
import { CASES } from '../../conformance/all-cases.ts';
import { Lab } from '../../conformance/lab.ts';
import { stackWorld } from '../kit/stack-world.ts';
import { test } from '../kit/test.ts';

const together = CASES.filter(({ alone }) => !alone);
const alone = CASES.filter((one) => one.alone);

console.log(`conformance: ${CASES.length} cases on the real stack`);

describe('an Argo CD as Tiphys sees it', () => {
  for (const { title, check } of together) {
    test.concurrent(title, async ({ scratch }) => check(new Lab(await stackWorld(scratch))));
  }
});

describe('with settings of Argo CD changed', () => {
  for (const { title, check } of alone) {
    test(title, async ({ scratch }) => check(new Lab(await stackWorld(scratch))));
  }
});
