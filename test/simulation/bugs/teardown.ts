// Ways to tear down what must stay, or too early.
import { type Bug, bug } from './bug.ts';

const RUN = 'src/engines/embedded/run-teardown.ts';
const DOOR = 'src/session/writes/writes.ts';
const ORDER = 'src/engines/teardown/teardown-spec.ts';
const REMOVAL = 'src/node/remove-node.ts';

/** The second guard, behind the order of the plan. */
const DEPENDENTS_IGNORED = {
  file: ORDER,
  find: 'if (there.length === 0) return;',
  put: 'if (there.length >= 0) return;',
};

const ALL: readonly Bug[] = [
  {
    name: 'teardown-in-order',
    what: 'deletes in the order of a deployment',
    patches: [
      {
        file: RUN,
        find: 'return new PlanWalk({\n      plan,',
        put: `const turned = plan.nodes.map((one) => ({ ...one, dependsOn: plan.nodes.flatMap((other) => (other.dependsOn.includes(one.id) ? [other.id] : [])) }));
    return new PlanWalk({
      plan: { ...plan, nodes: turned },`,
      },
      DEPENDENTS_IGNORED,
    ],
  },
  {
    name: 'deletion-not-awaited',
    what: 'continues as soon as a deletion was requested',
    patches: [
      {
        file: REMOVAL,
        find: 'if (!view && left.length === 0) return undefined;',
        put: 'if (isGoing || (!view && left.length === 0)) return undefined;',
      },
      DEPENDENTS_IGNORED,
    ],
  },
  bug(
    'uid-ignored',
    'deletes any Application with the name',
    REMOVAL,
    'return view !== undefined && view.uid === uid && !view.deleting;',
    "return view !== undefined && uid !== '' && !view.deleting;",
  ),
  bug(
    'teardown-without-hold',
    'lets parents recreate what is deleted',
    ORDER,
    "deployment.nodes.filter(({ application }) => names.has(application ?? ''));",
    'deployment.nodes.filter(() => names.size < 0);',
  ),
  bug(
    'teardown-without-fencing',
    'deletes without asking whether the lease lasts',
    DOOR,
    'await this.#lease.awaitWritePermit();',
    '',
  ),
];

export const TEARDOWN: readonly Bug[] = ALL.map((one) => ({ ...one, mission: 'teardown' }));
