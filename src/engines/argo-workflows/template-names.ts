// Names of a plan's nodes in a Workflow, and back. Argo Workflows allows letters, digits and dashes, at most 128 of them,
// and treats dashes and underscores as equal.
import { hashOf } from '../../plan/canonical.ts';

const TASK_NAME_MAX = 128;
const WORKFLOW_NAME_MAX = 63;
const SUFFIX = 10;

/** Names of Applications have dots but no capitals, so a capital can replace a dot. */
const DOT = 'D';

/** For an Application of a generated member: otherwise `app:a:b` would have the name of `app:a-b`. */
const CHILD = /^(app:[^:]+):/;
const GENERATED = 'G';

export function taskName(id: string): string {
  const name = id.replace(CHILD, `$1${GENERATED}`).replaceAll(':', '-').replaceAll('.', DOT);
  return name.length <= TASK_NAME_MAX ? name : shortened(name, TASK_NAME_MAX, `H${digest(id)}`);
}

/** The id of a task's node; undefined if it is none of these. */
export const nodeOfTask = (name: string, ids: readonly string[]): string | undefined =>
  ids.find((id) => taskName(id) === name);

/** As `generateName`: Kubernetes appends five characters. */
export function workflowNamePrefix(action: string, platform: string): string {
  const name = `tiphys-${action}-${platform}`;
  const most = WORKFLOW_NAME_MAX - SUFFIX;
  return `${name.length <= most ? name : shortened(name, most, digest(platform))}-`;
}

export function filesName(platform: string, content: string): string {
  return `tiphys-files-${platform}-${digest(content)}`;
}

/** A digest replaces the part that is cut off. In a task's name a capital H comes before it, which no other name has. */
function shortened(name: string, most: number, end: string): string {
  // A Kubernetes name: at most 253 characters.
  return `${name.slice(0, most - end.length - 1).replace(/-+$/, '')}-${end}`;
}

function digest(text: string): string {
  return hashOf(text).slice('sha256:'.length).slice(0, SUFFIX);
}
