// What a deployment would change, from Argo CD's own comparison. Read-only: unless told to, it does not even request a refresh.
import { API_VERSION } from '../../model/api-version.ts';
import { fits } from '../../model/generator-keys.ts';
import { compareText, quote } from '../../model/names.ts';
import { childOf, selectedOf, tooFew } from '../../plan/generated.ts';
import { keyOf, namespacesOf, viewsByKey } from '../../plan/node-address.ts';
import type { Plan, PlanNode } from '../../plan/plan.ts';
import type { ApplicationView, UnreadableApplication } from '../../ports/application-view.ts';
import type { Diff } from '../../report/platform-diff.ts';
import { diffStatus } from '../../report/platform-diff.ts';
import { mapConcurrently } from '../map-concurrently.ts';
import { type DiffParts, diffOf, type Row } from './diff-application.ts';
import { isSelectedBy, requireSelected } from './selected.ts';

export async function diffPlatform(plan: Plan, parts: DiffParts): Promise<Diff> {
  const { target, refresh, selector } = parts;
  const unreadable: UnreadableApplication[] = [];
  const listed = await target.applications.list(namespacesOf(plan), (one) => unreadable.push(one));
  const views = viewsByKey(listed);
  const rows = plan.nodes
    .filter(({ application, kind }) => application !== null && kind !== 'close')
    .flatMap((node) => {
      const broken = unread(node, unreadable);
      if (node.generated) return [...broken, ...generatedRows(node, listed)];
      return broken.length > 0 ? broken : [rowOf(node, views.get(keyOf(node)))];
    })
    .filter(({ view }) => isSelectedBy(selector, view));
  const shown = requireSelected(selector, rows);
  const nodes = await mapConcurrently(shown, parts, (row) => diffOf(row, parts));
  return {
    apiVersion: API_VERSION,
    kind: 'Diff',
    platform: plan.platform,
    plan: plan.hash,
    scope: plan.scope,
    ...(selector && { selector: selector.text }),
    exitStatus: diffStatus(nodes),
    refreshed: refresh,
    nodes,
  };
}

/** One that cannot be read is not missing. */
function unread(node: PlanNode, unreadable: readonly UnreadableApplication[]): Row[] {
  const { application, argocd, generated } = node;
  const pattern = application ?? '';
  return unreadable
    .filter(({ namespace }) => namespace === argocd?.namespace)
    .filter(({ name }) => (generated ? fits(pattern, name) : name === pattern))
    .map(({ name, why }) => ({
      node: generated ? childOf(node, name) : node,
      state: 'unknown',
      reason: `it cannot be read: ${why}`,
    }));
}

function rowOf(node: PlanNode, view: ApplicationView | undefined): Row {
  if (!view) return { node, state: 'missing', reason: 'its Application does not exist yet' };
  const project = node.argocd?.project ?? '';
  if (view.project === project) return { node, view };
  const reason = `its Application is in project ${quote(view.project)}, not in ${quote(project)}`;
  return { node, state: 'unknown', reason };
}

/** One for each of its Applications, and one for itself while some are missing. */
function generatedRows(node: PlanNode, listed: readonly ApplicationView[]): Row[] {
  const views = selectedOf(node, listed).sort((a, b) => compareText(a.name, b.name));
  const reason = tooFew(node, views.length);
  return [
    ...(reason === undefined ? [] : [{ node, state: 'missing' as const, reason }]),
    ...views.map((view) => ({ node: childOf(node, view.name), view })),
  ];
}
