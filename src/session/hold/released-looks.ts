// Nothing but a request makes Argo CD look soon at what it may sync again: once for each node that was let go.
import type { ApplicationAddress } from '../../model/platform.ts';
import type { PlanNode } from '../../plan/plan.ts';
import type { ApplicationReads } from '../../ports/argocd-applications.ts';

export class ReleasedLooks {
  readonly #applications: Pick<ApplicationReads, 'refresh'>;
  readonly #wanted = new Set<string>();
  readonly #looks: Promise<unknown>[] = [];

  constructor(applications: Pick<ApplicationReads, 'refresh'>) {
    this.#applications = applications;
  }

  /** It is about to be let go. */
  want({ id }: PlanNode): void {
    this.#wanted.add(id);
  }

  /** These are free by now; `addresses`: what a node's name held. */
  free(nodes: readonly PlanNode[], addresses: (node: PlanNode) => readonly ApplicationAddress[]) {
    for (const node of nodes) {
      if (!this.#wanted.delete(node.id)) continue;
      // One that cannot be reached now is looked at by Argo CD a little later.
      const looks = addresses(node).map((one) => this.#applications.refresh(one));
      this.#looks.push(...looks.map((look) => look.catch(() => undefined)));
    }
  }

  async complete(): Promise<void> {
    await Promise.all(this.#looks);
  }
}
