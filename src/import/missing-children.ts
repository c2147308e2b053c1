// Applications that their parent has in its Git, and that Argo CD has not created: it waits for an earlier sync wave, or no one
// has synced the parent. A platform that is stuck is read with them.
import { readApplications } from './application-object.ts';
import { isArgo } from './find-parents.ts';
import type { ApplicationMaterial, ReadProblem } from './material.ts';
import { groupOf } from './sort-material.ts';

interface MissingChildren {
  readonly applications: readonly ApplicationMaterial[];
  readonly problems: readonly ReadProblem[];
}

/** `read`: those that exist, with what they deploy. */
export function missingChildren(
  read: readonly ApplicationMaterial[],
  argocdNamespace: string,
): MissingChildren {
  const known = new Set(read.map(({ name }) => name));
  const applications: ApplicationMaterial[] = [];
  for (const parent of read) {
    for (const { material, namespace } of childrenOf(parent)) {
      const isElsewhere = namespace !== '' && namespace !== argocdNamespace;
      if (isElsewhere || known.has(material.name)) continue;
      known.add(material.name);
      applications.push({ ...material, parent: parent.name });
    }
  }
  return { applications, problems: applications.map(problemOf) };
}

function childrenOf({ objects }: ApplicationMaterial) {
  const children = objects.filter(({ apiVersion, kind = '' }) =>
    isArgo({ group: groupOf(apiVersion), kind }, 'Application'),
  );
  return readApplications(children).applications;
}

function problemOf({ name, parent, wave }: ApplicationMaterial): ReadProblem {
  const at = wave === undefined ? '' : ` in sync wave ${wave}`;
  const message = `Argo CD has not created it yet, though ${parent} has it${at}. Nothing is known of what it contains.`;
  return { subject: name, message };
}
