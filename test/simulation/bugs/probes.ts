// Bugs of gates with a probe.
import { type Bug, bug } from './bug.ts';

/** What only a run that probes could get wrong. */
const BROKEN: readonly Bug[] = [
  bug(
    'failed-probe-opens',
    'opens a gate with any result of its probe',
    'src/gate/conditions.ts',
    "probe === 'unread' || probe?.succeeded) return undefined;",
    "probe === 'unread' || probe !== undefined) return undefined;",
  ),
  bug(
    'never-probed',
    'opens a gate without the probe that it has',
    'src/node/run-node.ts',
    'const probe = GateProbe.of(context);',
    'const probe = undefined;',
  ),
  bug(
    'unchanged-not-probed',
    'treats an unchanged application as probed',
    'src/node/run-node.ts',
    'if (!once) return progress.unchanged(application, evidence);',
    'if (once !== null) return progress.unchanged(application, evidence);',
  ),
  bug(
    'probe-without-lease',
    'creates the Job of a probe without the Lease',
    'src/session/writes/probe-writes.ts',
    'await lease.awaitWritePermit();',
    '',
  ),
];

export const PROBES: readonly Bug[] = BROKEN.map((one) => ({ ...one, mission: 'probes' }));
