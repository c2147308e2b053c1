// Bugs of gates that ask for approval.
import { type Bug, bug } from './bug.ts';

const GATE = 'src/gate/conditions.ts';
const READ = 'src/node/await-decision.ts';
const APPROVAL = 'src/session/approvals/approval.ts';

/** What only a run that waits for people could get wrong. */
const BROKEN: readonly Bug[] = [
  bug(
    'unapproved-opens',
    'opens a gate without the approval that it requires',
    APPROVAL,
    `said('subject') !== subjectOf(application, question))
    return undefined;`,
    `said('subject') !== subjectOf(application, question))
    return { approved: true, by: 'nobody', at: '2026-01-01T00:00:00Z' };`,
  ),
  bug(
    'denied-opens',
    'treats a denial as an approval',
    GATE,
    'return decision.approved ? undefined : says(renderDecision(decision));',
    'return undefined;',
  ),
  bug(
    'approval-replaces-health',
    'opens the gate on approval, without checking again',
    'src/node/pass-gate.ts',
    'await suspended(context, wait.time, () => untilDecided(context, application));',
    `await suspended(context, wait.time, () => untilDecided(context, application));
      const { judge } = await import('../gate/gate.ts');
      const past = judge({ ...wait, application, settings: context.node.gate, before: undefined, live: [], decision: 'unread' });
      if (past.open) return { kind: 'open', evidence: past.evidence, dwellMs: 0 };`,
  ),
  bug(
    'denied-for-ever',
    'applies the denial of another run',
    APPROVAL,
    "const isOfRun = run !== '' && said('run') === run;",
    'const isOfRun = true;',
  ),
  {
    name: 'approves-itself',
    what: 'writes the approval that it waits for',
    patches: [
      {
        file: READ,
        find: 'return await decisionOn(target.store, node, application, identity.id);',
        put: `const decision = { approved: true, by: 'tiphys', at: '2026-01-01T00:00:00Z' };
  const { approval: question } = node.gate;
  await (target.store as unknown as { put: (...given: unknown[]) => Promise<unknown> }).put(
    approvalText({ platform: identity.platform, node, question, application, decision, run: '' }),
    () => true,
  );
  return await decisionOn(target.store, node, application, identity.id);`,
      },
      { file: READ, find: 'import { decisionOn }', put: 'import { approvalText, decisionOn }' },
    ],
  },
];

export const APPROVALS: readonly Bug[] = BROKEN.map((one) => ({ ...one, mission: 'approvals' }));
