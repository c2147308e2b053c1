// The conformance suite on the real thing: what the rehearsal must do as well.
import { describe } from 'vitest';
import { CASES } from '../../conformance/all-cases.ts';
import { belongsTo } from '../../conformance/case.ts';
import { Lab, ROUND } from '../../conformance/lab.ts';
import type { Scratch } from '../kit/scratch.ts';
import { stackWorld } from '../kit/stack-world.ts';
import { test } from '../kit/test.ts';
import { versionOfModule } from '../modules.ts';

const version = versionOfModule('argo-cd');
const cases = CASES.filter((one) => belongsTo(one, version));
const together = cases.filter(({ alone }) => !alone);
const alone = cases.filter((one) => one.alone);

console.log(`conformance: ${cases.length} cases on the real stack, Argo CD ${version}`);

const labIn = async (scratch: Scratch) => new Lab(await stackWorld(scratch), undefined, ROUND);

describe('an Argo CD as Tiphys sees it', () => {
  for (const { title, check } of together) {
    test.concurrent(title, async ({ scratch }) => check(await labIn(scratch)));
  }
});

describe('with settings of Argo CD changed', () => {
  for (const { title, check } of alone) {
    test(title, async ({ scratch }) => check(await labIn(scratch)));
  }
});
