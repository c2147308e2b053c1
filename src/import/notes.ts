// What a reader has to know before believing the edges.

import { isKind, nameOf, objectsOf } from './facts/object.ts';
import { groupBy } from './group.ts';
import type { ApplicationMaterial, Material } from './material.ts';
import type { ImportNote, ProposedEdge } from './proposal.ts';
import type { Family } from './tree.ts';

export function materialNotes(material: Material): ImportNote[] {
  return [
    ...material.problems.map(
      ({ subject, message }): ImportNote => ({
        kind: 'read-problem',
        text: `${subject}: ${message}`,
      }),
    ),
    ...material.applications.flatMap((application) => applicationNotes(application, material)),
  ];
}

function applicationNotes(application: ApplicationMaterial, material: Material): ImportNote[] {
  const { name, destination } = application;
  if (application.isRemote) {
    const text = `${name} deploys to ${destination.cluster}, another cluster, and is left out`;
    return [{ kind: 'remote', application: name, text }];
  }
  const notes: ImportNote[] = [];
  if (isArgoCd(application, material)) {
    const text = `${name} is Argo CD itself: a run that deploys it interrupts its own work`;
    notes.push({ kind: 'self-managed-argocd', application: name, text });
  }
  if (application.applicationSet !== undefined) {
    const text = `${name} is made by ApplicationSet ${application.applicationSet}`;
    notes.push({ kind: 'applicationset', application: name, text });
  }
  return notes;
}

function isArgoCd(application: ApplicationMaterial, { argocdNamespace }: Material): boolean {
  if (application.destination.namespace !== argocdNamespace) return false;
  const runs = objectsOf(application).some(
    (object) =>
      isKind(object, 'apps', 'StatefulSet', 'Deployment') &&
      nameOf(object).endsWith('application-controller'),
  );
  return runs || application.charts.some((chart) => chart.name === 'argo-cd');
}

/** Nothing is known of it: the waves are the only thing that can be said. */
export function unknownContentNotes(
  applications: readonly ApplicationMaterial[],
  edges: readonly ProposedEdge[],
  family: Family,
): ImportNote[] {
  const known = new Set(edges.map(({ dependent }) => dependent));
  const byParent = groupBy(applications, ({ parent }) => parent ?? '');
  return applications.flatMap((application): ImportNote[] => {
    const { name, content, wave, parent } = application;
    if (content !== 'unknown' || known.has(name) || family.children(name).length > 0) return [];
    const earlier = (byParent.get(parent ?? '') ?? []).filter(
      (other) => wave !== undefined && other.wave !== undefined && other.wave < wave,
    );
    const nearest = earlier.reduce((best, other) => Math.max(best, other.wave ?? best), -Infinity);
    const before = earlier.filter((other) => other.wave === nearest).map((other) => other.name);
    const after =
      before.length > 0 ? `; its sync wave puts it after ${before.sort().join(', ')}` : '';
    const text = `Nothing is known of what ${name} contains${after}`;
    return [{ kind: 'content-unknown', application: name, text }];
  });
}

export function edgeNotes(
  edges: readonly ProposedEdge[],
  applications: readonly ApplicationMaterial[],
): ImportNote[] {
  const own = new Map(applications.map(({ name, destination }) => [name, destination.namespace]));
  return edges.flatMap(({ dependent, dependency, evidence, waves, strength }): ImportNote[] => {
    const notes: ImportNote[] = [];
    if (waves === 'against' && strength !== 'eventual') {
      const text = `${dependent} needs ${dependency}, and its sync wave comes first`;
      notes.push({ kind: 'against-waves', application: dependent, text });
    }
    // CreateNamespace makes its own namespace, not those of others that it puts something into.
    const accident = evidence.find(
      ({ kind, confidence, text }) =>
        kind === 'namespace' && confidence !== 'high' && text.endsWith(` ${own.get(dependent)}`),
    );
    if (accident) {
      const text = `${dependent} has its namespace only because ${dependency} makes it: add CreateNamespace=true`;
      notes.push({ kind: 'namespace-by-accident', application: dependent, text });
    }
    return notes;
  });
}

export function sortNotes(notes: readonly ImportNote[]): ImportNote[] {
  const keyed = new Map(
    notes.map((note) => [`${note.kind}\0${note.application ?? ''}\0${note.text}`, note]),
  );
  return [...keyed].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, note]) => note);
}
