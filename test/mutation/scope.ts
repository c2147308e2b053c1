// What is mutated, and which tests judge it: the code that guards users' clusters.

/** The tests that run in one process, on virtual time. The others would cost hours. */
export const TESTS = [
  'src/{gate,node,session,engines,run,report,inventory,cli/input}/**/*.test.ts',
  'test/{guards,recordings}/**/*.test.ts',
];
export const SLOW_TESTS = ['**/*.slow.test.ts'];

/** Each part has to reach the least score on its own. */
export const PARTS: Readonly<Record<string, readonly string[]>> = {
  gate: ['src/gate/'],
  node: ['src/node/'],
  hold: ['src/session/hold/'],
  lease: ['src/session/lease/'],
  session: ['src/session/'],
  teardown: ['src/engines/teardown/'],
  confirmation: ['src/cli/input/confirmation.ts'],
};

export const LEAST_SCORE = 90;

/** Wording is the subject of goldens. */
export const EXCLUDED_MUTATIONS = ['StringLiteral'];

/** The first part that names it: a file of the hold counts there, not for the rest of the session. */
export function partOf(file: string): string | undefined {
  return Object.entries(PARTS).find(([, roots]) =>
    roots.some((root) => file.startsWith(root)),
  )?.[0];
}

/** How the processes of one run find each other: the folder of their files. */
export const FOLDER_VARIABLE = 'TIPHYS_MUTATION';
