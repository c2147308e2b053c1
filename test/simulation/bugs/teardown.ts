// Ways to tear down what must stay, or too early.
import { type Bug, bug } from './bug.ts';

const DEMOLITION = 'src/engines/embedded/demolition.ts';
const ORDER = 'src/engines/teardown/teardown-order.ts';
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
        file: DEMOLITION,
        find: 'this.#schedule = new Schedule(parts.plan);',
        put: `const turned = parts.plan.nodes.map((one) => ({ ...one, dependsOn: parts.plan.nodes.flatMap((other) => (other.dependsOn.includes(one.id) ? [other.id] : [])) }));
    this.#schedule = new Schedule({ ...parts.plan, nodes: turned });`,
      },
      DEPENDENTS_IGNORED,
    ],
  },
  {
    name: 'deletion-not-awaited',
    what: 'goes on when a deletion was asked for',
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
    'deletes whatever has the name',
    REMOVAL,
    'if (!view || view.uid !== removal.uid || view.deleting) return view;',
    'if (!view || view.deleting) return view;',
  ),
  bug(
    'teardown-without-hold',
    'lets parents make again what goes',
    ORDER,
    "deployment.nodes.filter(({ application }) => names.has(application ?? ''));",
    'deployment.nodes.filter(() => names.size < 0);',
  ),
  {
    name: 'teardown-without-fencing',
    what: 'deletes without asking whether the lease lasts',
    patches: [
      {
        file: REMOVAL,
        find: 'await context.permit();\n    const [view, unready]',
        put: 'const [view, unready]',
      },
      {
        file: REMOVAL,
        find: 'await context.permit();\n    if (clock.monotonic()',
        put: 'if (clock.monotonic()',
      },
    ],
  },
];

export const TEARDOWN: readonly Bug[] = ALL.map((one) => ({ ...one, mission: 'teardown' }));
