// count.mjs KIND FLOOR STATUS FILE: what one part of the checks came to, as 'PASSED FAILED'. Why something counts as failed is said on
// stderr. KIND is `report` (JSON of Vitest) or `log` (its last line is 'N passed, N failed'). A part has failed if its
// command did, if what it left cannot be read, and if fewer tests than FLOOR passed: then some were not run at all.
import { readFileSync } from 'node:fs';

const [kind, floor, status, file] = process.argv.slice(2);

/** Undefined: it cannot be read. */
function countsIn(text) {
  if (kind === 'log') {
    const [, passed, failed] =
      /^(\d+) passed, (\d+) failed$/.exec(text.trimEnd().split('\n').at(-1)) ?? [];
    return passed === undefined ? undefined : { passed: Number(passed), failed: Number(failed) };
  }
  const { numPassedTests: passed, numFailedTests: failed, success } = JSON.parse(text);
  const isWhole = [passed, failed].every((count) => Number.isSafeInteger(count) && count >= 0);
  if (!isWhole || typeof success !== 'boolean') return undefined;
  // A file that did not even load has no failed test.
  return { passed, failed: success ? failed : Math.max(1, failed) };
}

function read() {
  try {
    return countsIn(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

const counts = read();
const reasons = [
  ...(counts ? [] : [`${file} cannot be read as a ${kind}`]),
  ...(status === '0' ? [] : [`the command ended with status ${status}`]),
  ...(counts && counts.passed < Number(floor)
    ? [`${counts.passed} tests passed, at least ${floor} were expected`]
    : []),
  ...(/^[1-9]\d*$/.test(floor) ? [] : [`${floor} is no minimum`]),
];
for (const reason of reasons) console.error(`ci: ${reason}`);
const { passed, failed } = counts ?? { passed: 0, failed: 0 };
console.log(`${passed} ${Math.max(failed, reasons.length > 0 ? 1 : 0)}`);
