// count.mjs KIND FLOOR STATUS FILE: what one part of the checks came to, as 'PASSED FAILED'. What failed, and why, is said on
// stderr. KIND says what FILE is, see below. A part has failed if its command did, if what it left cannot be read, and if fewer
// than FLOOR passed: then some were not run at all.
import { readFileSync } from 'node:fs';

const [kind, floor, status, file] = process.argv.slice(2);

/** Each gives undefined where the text is not what it must be. */
const READERS = {
  /** JSON of Vitest. */
  report(text) {
    const {
      numPassedTests: passed,
      numFailedTests: failed,
      success,
      testResults = [],
    } = JSON.parse(text);
    const isWhole = [passed, failed].every((count) => Number.isSafeInteger(count) && count >= 0);
    if (!isWhole || typeof success !== 'boolean') return undefined;
    // A file that did not even load has no failed test.
    return {
      ...{ passed, failed: success ? failed : Math.max(1, failed) },
      names: testResults.flatMap(failuresOf),
    };
  },

  /** The last line is 'N passed, N failed'. */
  log(text) {
    const [passed, failed] = numbers(/^(\d+) passed, (\d+) failed$/, lastLine(text)) ?? [];
    const names = [...text.replace(ESCAPES, '').matchAll(/^ FAIL +(.*)\n(.*)$/gm)].map(
      ([, name, reason]) => `${name}: ${reason}`,
    );
    return passed === undefined ? undefined : { passed, failed, names };
  },

  /** Of `npm run simulate -- --seeds`: a world is one. */
  seeds(text) {
    const [seeds] = numbers(/^(\d+) seeds in /m, text) ?? [];
    const [violations, unfinished] = numbers(/^(\d+) violations, (\d+) unfinished$/m, text) ?? [];
    if (seeds === undefined || violations === undefined) return undefined;
    const failed = violations + unfinished;
    return { passed: Math.max(0, seeds - failed), failed };
  },

  /** Of `npm run simulate -- --crash-points`: each is one, and all of them must have been tried. */
  'crash-points'(text) {
    const pattern = /^\d+ writes, (\d+) of (\d+) crash points .*: (\d+) wrong$/;
    const [tried, all, wrong] = numbers(pattern, lastLine(text)) ?? [];
    if (tried === undefined) return undefined;
    const failed = wrong + all - tried;
    return { passed: Math.max(0, all - failed), failed };
  },

  /** Of `npm run bench`: each budget is one. */
  budgets(text) {
    const verdicts = [...text.matchAll(/ of \d[^:\n]*: (ok|OVER)$/gm)].map(
      ([, verdict]) => verdict,
    );
    const passed = verdicts.filter((verdict) => verdict === 'ok').length;
    return { passed, failed: verdicts.length - passed };
  },

  /** Of `npm run mutate`: a killed mutant is one; a part of the code with too low a score, or without mutants, has failed. */
  mutants(text) {
    const rows = [
      ...text.matchAll(/^.* % {2}(ok|under \d+) {2}\((\d+) killed, (\d+) timed out, .*\)$/gm),
    ];
    if (rows.length === 0) return undefined;
    const killed = rows.map(([, , dead, late]) => Number(dead) + Number(late));
    const isBad = ([, verdict], at) => verdict !== 'ok' || killed[at] === 0;
    return {
      passed: killed.reduce((sum, count) => sum + count, 0),
      failed: rows.filter(isBad).length,
    };
  },
};

/** Colours. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what they begin with
const ESCAPES = /\x1b\[[0-9;]*m/g;

/** The tests of a file that failed, or the file itself where it did not even load, each with the first line of the reason. */
function failuresOf({ name = 'a file', message, status, assertionResults = [] }) {
  const failed = assertionResults.filter((result) => result.status === 'failed');
  if (failed.length === 0 && status === 'failed') return [`${name}: ${firstLine(message)}`];
  return failed.map(
    ({ fullName, failureMessages = [] }) => `${fullName}: ${firstLine(failureMessages[0])}`,
  );
}

const firstLine = (text = '') => text.replace(ESCAPES, '').split('\n')[0];

const lastLine = (text) => text.trimEnd().split('\n').at(-1);

/** What the groups of the pattern matched. */
const numbers = (pattern, text) => pattern.exec(text)?.slice(1).map(Number);

function read() {
  try {
    return READERS[kind](readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

const counts = read();
const reasons = [
  ...(counts ? [] : [`${file} cannot be read as a ${kind}`]),
  ...(status === '0' ? [] : [`the command ended with status ${status}`]),
  ...(counts && counts.passed < Number(floor)
    ? [`${counts.passed} passed, at least ${floor} were expected`]
    : []),
  ...(/^[1-9]\d*$/.test(floor) ? [] : [`${floor} is no minimum`]),
];
for (const name of counts?.names ?? []) console.error(`ci: failed: ${name}`);
for (const reason of reasons) console.error(`ci: ${reason}`);
const { passed, failed } = counts ?? { passed: 0, failed: 0 };
console.log(`${passed} ${Math.max(failed, reasons.length > 0 ? 1 : 0)}`);
