// The conformance suite on the real thing: what the rehearsal must do as well.
import { describe, vi } from 'vitest';
import { CASES } from '../../conformance/all-cases.ts';
import { belongsTo } from '../../conformance/case.ts';
import { Lab } from '../../conformance/lab.ts';
import { stackWorld } from '../kit/stack-world.ts';
import { test } from '../kit/test.ts';
import { versionOfModule } from '../modules.ts';

// Some cases wait for a round of Argo CD's own.
vi.setConfig({ testTimeout: 400_000 });

const version = versionOfModule('argo-cd');
const cases = CASES.filter((one) => belongsTo(one, version));
const together = cases.filter(({ alone }) => !alone);
const alone = cases.filter((one) => one.alone);

console.log(`conformance: ${cases.length} cases on the real stack, Argo CD ${version}`);

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
