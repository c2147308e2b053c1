// What a task of a DAG waits for.
import type { Report } from '../../src/report/run-report.ts';

export type Phase = 'Succeeded' | 'Failed' | 'Skipped' | 'Omitted';

/** What came of a Workflow. */
export interface Ended {
  readonly phases: ReadonlyMap<string, Phase>;
  /** How many pods were started. */
  readonly pods: number;
  /** Tasks that the agent had in work at once. */
  readonly most: number;
  readonly report: Report | undefined;
  readonly messages: readonly string[];
}

/** `a.Succeeded && (b.Succeeded || b.Failed)`: every one that is named must have ended first. */
export async function holds(
  depends: string | undefined,
  of: (name: string) => Promise<Phase>,
): Promise<boolean> {
  if (depends === undefined) return true;
  const atoms = [...depends.matchAll(/([-\w]+)\.(\w+)/g)];
  const ended = new Map<string, Phase>();
  await Promise.all(
    atoms.map(async ([, name = '']) => {
      ended.set(name, await of(name));
    }),
  );
  const isSo = (atom: string) => {
    const [, name = '', phase] = /^([-\w]+)\.(\w+)$/.exec(atom) ?? [];
    return ended.get(name) === phase;
  };
  return depends
    .split(' && ')
    .every((group) => group.replace(/[()]/g, '').split(' || ').some(isSo));
}
