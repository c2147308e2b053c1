// The program of a generated member against an Argo CD in memory: its Applications, and the ApplicationSet that has made them.
import type { NodeContext } from '../../src/node/node-context.ts';
import { runGenerated } from '../../src/node/run-generated.ts';
import type { PlanNode } from '../../src/plan/plan.ts';
import type { ApplicationView, UnreadableApplication } from '../../src/ports/application-view.ts';
import type { ApplicationSetView } from '../../src/ports/target.ts';
import { application } from './application.ts';
import { NodeWorld, nodeOf } from './node-world.ts';

/** At least two Applications of an ApplicationSet. */
export const SHOP = nodeOf('application', {
  id: 'app:shop',
  application: 'shop-*',
  generated: { applicationSet: 'set', atLeast: 2 },
});

export const SET: ApplicationSetView = {
  ...{ name: 'set', namespace: 'argocd', uid: 's', deleting: false, rollingSync: false },
  ...{ trackedBy: undefined, upToDate: true },
};

export class GeneratedNodeWorld extends NodeWorld {
  sets: ApplicationSetView[] = [SET];
  unreadable: UnreadableApplication[] = [];
  /** No list has them any more. */
  readonly left = new Set<string>();

  constructor(node: PlanNode = SHOP) {
    super({}, node);
  }

  /** Healthy and Synced, but for what a test changes. */
  made(name: string, part: Partial<ApplicationView> = {}): void {
    this.argocd.add(name);
    const { namespace, uid } = this.argocd.view(name);
    const { operationState } = this.view;
    const well = application({ name, namespace, uid, project: 'default', operationState });
    this.argocd.change(name, { ...well, applicationSet: 'set', ...part });
  }

  get ofMember(): NodeContext {
    const given = this.context;
    const list: NodeContext['session']['target']['applications']['list'] = async (_, told) => {
      for (const one of this.unreadable) told?.(one);
      return [...given.watch.all()].filter(({ name }) => name !== 'a' && !this.left.has(name));
    };
    const { session } = given;
    const target = {
      ...session.target,
      applications: { ...session.target.applications, list },
      applicationSets: { list: async () => this.sets },
    };
    const of = (one: NodeContext): NodeContext => ({ ...one, session: { ...session, target } });
    return { ...of(given), forChild: (child) => of({ ...this.context, node: child }) };
  }

  run(context: NodeContext = this.ofMember) {
    return this.clock.until(runGenerated(context), 3_600_000);
  }
}
