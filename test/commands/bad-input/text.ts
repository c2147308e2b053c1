// Pieces of platform files.

export const HEAD = `apiVersion: tiphys.dev/v1alpha1
kind: Platform
metadata: { name: p }
spec:
`;

/** From line 5 on, indented by two. */
export const spec = (lines: string): string => `${HEAD}${lines}`;

/** One stack with these applications, one a line, from line 8 and column 11 on. */
export const applications = (lines: readonly string[]): string =>
  spec(`  stacks:
    - name: s
      applications:
${lines.map((line) => `        - ${line}\n`).join('')}`);

export const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));

/** Application `a0`, `a1`, ... with these dependencies. */
export const application = (at: number, ...dependsOn: string[]): string =>
  `{ name: a${at}, dependsOn: [${dependsOn.join(', ')}] }`;
