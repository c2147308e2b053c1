// Snapshots of claims, taken before the claims go. Each run takes its own: one from before may be older than the data. A run
// that goes on has the id of the one before, and so finds what that took.
import { nameOf } from '../../inventory/fate.ts';
import type { SnapshottedClaim } from '../../inventory/inventory.ts';
import {
  deadlineIn,
  isOver,
  type NodeContext,
  read,
  reporter,
  sleep,
} from '../../node/node-context.ts';
import { renderResource } from '../../ports/application-view.ts';
import type { SnapshotReads } from '../../ports/cluster-objects.ts';
import { type Leftover, leftover } from '../../run/leftover.ts';

const SNAPSHOT_POLL_MS = 2_000;

export class ClaimSnapshots {
  readonly #snapshots: SnapshotReads;
  readonly #claims: readonly SnapshottedClaim[];
  readonly #taken = new Map<string, Leftover>();

  constructor(snapshots: SnapshotReads, claims: readonly SnapshottedClaim[]) {
    this.#snapshots = snapshots;
    this.#claims = claims;
  }

  /** They stay, as announced. */
  get taken(): Leftover[] {
    return [...this.#taken.values()];
  }

  /** What another process of that run has taken. */
  async find(run: string): Promise<Leftover[]> {
    const found = await Promise.all(
      this.#claims.map(async (claim) => {
        const place = placeOf(claim, run);
        return (await this.#snapshots.get(place))?.ready ? [takenOf(claim, place)] : [];
      }),
    );
    return found.flat();
  }

  /** Resolves when all claims of the node are saved; returns what is wrong where they cannot be. */
  async ensure(context: NodeContext): Promise<string | undefined> {
    const claims = this.#claims.filter(({ node }) => node === context.node.id);
    const problems = await Promise.all(claims.map((claim) => this.#ensure(context, claim)));
    return problems.find((problem) => problem !== undefined);
  }

  async #ensure(context: NodeContext, claim: SnapshottedClaim): Promise<string | undefined> {
    const { node, session, emit, writes } = context;
    const place = placeOf(claim, session.identity.id);
    const text = renderResource(nameOf(claim));
    const deadline = deadlineIn(context, node.timeouts.health);
    const report = reporter(context);
    for (;;) {
      const found = await read(context, deadline, () => this.#snapshots.get(place));
      if (found?.ready) {
        this.#taken.set(place.name, takenOf(claim, place));
        return undefined;
      }
      if (isOver(context, deadline)) {
        return `the snapshot ${place.name} of ${text} is not ready${found?.error ? `: ${found.error}` : ''}`;
      }
      if (!found) {
        const result = await writes.createSnapshot(place, claim.name);
        if (result.kind === 'refused' && result.reason !== 'conflict') {
          return `no snapshot of ${text} can be taken: ${result.message}`;
        }
        const { name } = place;
        emit({ type: 'node.snapshot-requested', node: node.id, claim: nameOf(claim), name });
      }
      report({ condition: 'saved', message: `the snapshot of ${text} is not ready` });
      await sleep(context, SNAPSHOT_POLL_MS);
    }
  }
}

const GROUP = 'snapshot.storage.k8s.io';

/** A name has at most 253 characters. */
const placeOf = ({ namespace, name }: SnapshottedClaim, run: string) => ({
  namespace,
  name: `${name.slice(0, 220)}-${run}`,
});

const takenOf = (claim: SnapshottedClaim, place: ReturnType<typeof placeOf>): Leftover =>
  leftover(
    { group: GROUP, kind: 'VolumeSnapshot', ...place },
    `the snapshot of ${renderResource(nameOf(claim))}`,
    true,
  );
