// Bugs of a Workflow's processes.
import { type Bug, bug } from './bug.ts';

const END = 'src/engines/argo-workflows/end.ts';

const ALL: readonly Bug[] = [
  bug(
    'end-hands-over-everything',
    'the end hands over what did not get through, too',
    END,
    '.filter(({ id }) => isThrough(nodes.get(id)?.outcome))',
    '.filter(({ id }) => isThrough(nodes.get(id)?.outcome) || id)',
  ),
  bug(
    'end-hands-over-nothing',
    'the end leaves held what is good',
    END,
    '.filter(({ id }) => isThrough(nodes.get(id)?.outcome))',
    '.filter(({ id }) => !id && isThrough(nodes.get(id)?.outcome))',
  ),
  bug(
    'beginning-cut-short',
    'a beginning that was told to abort counts as one',
    'src/engines/argo-workflows/begin.ts',
    'if (signal.aborted) throw new Abandoned();',
    '',
  ),
  bug(
    'agent-takes-too-many',
    'an agent has one more in work than is allowed',
    'src/engines/slots.ts',
    'this.#taken.size + this.#left.size < this.#most;',
    'this.#taken.size + this.#left.size <= this.#most;',
  ),
];

export const WORKFLOW: readonly Bug[] = ALL.map((one) => ({ ...one, mission: 'workflow' }));
