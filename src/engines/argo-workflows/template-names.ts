// Names of a plan's nodes in a Workflow, and back. Argo Workflows takes letters, digits and dashes, at most 128 of them, and
// compares names with dashes and underscores taken for the same.
import { hashOf } from '../../plan/canonical.ts';

const TASK_NAME_MAX = 128;
const WORKFLOW_NAME_MAX = 63;
const SUFFIX = 10;

/** Names of Applications have dots but no capitals, so that one can stand for the other. */
const DOT = 'D';

/** One that a generated member stands for: else `app:a:b` would have the name of `app:a-b`. */
const CHILD = /^(app:[^:]+):/;
const GENERATED = 'G';

export function taskName(id: string): string {
  const name = id.replace(CHILD, `$1${GENERATED}`).replaceAll(':', '-').replaceAll('.', DOT);
  return name.length <= TASK_NAME_MAX ? name : shortened(name, TASK_NAME_MAX, `H${digest(id)}`);
}

/** The id that a task stands for; undefined where it stands for none of these. */
export const nodeOfTask = (name: string, ids: readonly string[]): string | undefined =>
  ids.find((id) => taskName(id) === name);

/** As `generateName`: five more characters come behind it. */
export function workflowNamePrefix(action: string, platform: string): string {
  const name = `tiphys-${action}-${platform}`;
  const most = WORKFLOW_NAME_MAX - SUFFIX;
  return `${name.length <= most ? name : shortened(name, most, digest(platform))}-`;
}

export function filesName(platform: string, content: string): string {
  return `tiphys-files-${platform}-${digest(content)}`;
}

/** What is left out is told apart by its digest. In a task's name a capital H stands before it, which no other name has. */
function shortened(name: string, most: number, end: string): string {
  // A name of Kubernetes: at most 253 characters.
  return `${name.slice(0, most - end.length - 1).replace(/-+$/, '')}-${end}`;
}

function digest(text: string): string {
  return hashOf(text).slice('sha256:'.length).slice(0, SUFFIX);
}
