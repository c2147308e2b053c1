import type { Report } from '../../../src/report/run-report.ts';

/** All of a report that does not hang on the moment, the revision or the random name of a run. */
export const lasting = ({ nodes, held, counts, exitStatus, plan }: Report) => ({
  ...{ held, counts, exitStatus, plan },
  nodes: nodes.map(({ id, outcome, cause, attempts, operations, evidence }) => ({
    ...{ id, outcome, attempts, cause: cause?.node, operations: operations.length },
    evidence: evidence !== null,
  })),
});
