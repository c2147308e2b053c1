// Bugs of a Workflow's processes.
import { type Bug, bug } from './bug.ts';

const END = 'src/engines/argo-workflows/end.ts';

const ALL: readonly Bug[] = [
  bug(
    'end-hands-over-everything',
    'the end also hands over applications that are not healthy',
    END,
    '.filter(({ id }) => isThrough(nodes.get(id)?.outcome))',
    '.filter(({ id }) => isThrough(nodes.get(id)?.outcome) || id)',
  ),
  bug(
    'end-hands-over-nothing',
    'the end leaves healthy applications on hold',
    END,
    '.filter(({ id }) => isThrough(nodes.get(id)?.outcome))',
    '.filter(({ id }) => !id && isThrough(nodes.get(id)?.outcome))',
  ),
  bug(
    'beginning-cut-short',
    'an aborted start counts as a start',
    'src/engines/argo-workflows/begin.ts',
    'if (signal.aborted) throw new Abandoned();',
    '',
  ),
  bug(
    'agent-takes-too-many',
    'an agent runs one more than is allowed',
    'src/engines/slots.ts',
    'this.#taken.size + this.#left.size < this.#most;',
    'this.#taken.size + this.#left.size <= this.#most;',
  ),
];

export const WORKFLOW: readonly Bug[] = ALL.map((one) => ({ ...one, mission: 'workflow' }));
