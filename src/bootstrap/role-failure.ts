// What Ansible's modules say when they fail, in a form that people can read, and what to do about it.
import type { Phase, Role } from './roles.ts';

/** Helm's own words are in what it wrote to stderr; the module wraps them in its command line. */
export function reasonIn(message: string, details: string): string {
  const [, ofHelm] = /(?:^|\n)Error: ([\s\S]*)/.exec(details) ?? [];
  const [first = ''] = message.trim().split('\n');
  return (ofHelm ?? (first || 'no reason was given')).trim();
}

const NAMESPACES: Readonly<Record<Role, string>> = {
  argocd: 'the namespace of Argo CD',
  'argo-workflows': 'the namespace of Argo Workflows',
  'argo-events': 'the namespace argo-events',
  'sealed-secrets': 'the namespace sealed-secrets',
  'gitops-handoff': 'the namespace of Argo CD',
};

export function hintFor(role: Role, phase: Phase): string {
  const look = `Look at pods and events in ${NAMESPACES[role]}, mend it, and run again: what is done stays done.`;
  const left = `Look at what is left in ${NAMESPACES[role]}, and run again.`;
  const hints: Readonly<Record<Phase, string>> = {
    'pre-check': 'Nothing was changed. Mend it, and run again.',
    apply: look,
    test: look,
    validate: 'The role was rolled back. Mend the cause, and run again.',
    rollback: left,
    result: left,
  };
  return hints[phase];
}
