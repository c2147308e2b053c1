// Only a refresh makes Argo CD look soon at Applications that it may sync again: one for each released node.
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

  /** The node is about to be released. */
  want({ id }: PlanNode): void {
    this.#wanted.add(id);
  }

  /** These nodes are released now; `addresses`: what a node's name covered. */
  free(nodes: readonly PlanNode[], addresses: (node: PlanNode) => readonly ApplicationAddress[]) {
    for (const node of nodes) {
      if (!this.#wanted.delete(node.id)) continue;
      // If the refresh fails, Argo CD reconciles the Application a little later.
      const looks = addresses(node).map((one) => this.#applications.refresh(one));
      this.#looks.push(...looks.map((look) => look.catch(() => undefined)));
    }
  }

  async complete(): Promise<void> {
    await Promise.all(this.#looks);
  }
}
