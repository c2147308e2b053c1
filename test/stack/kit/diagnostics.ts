// What one wants to see when a test on the stack fails.

import type { Application } from './objects.ts';
import type { Scratch } from './scratch.ts';
import type { Stack } from './stack.ts';

export async function diagnostics(scratch: Scratch): Promise<string> {
  const { stack, name } = scratch;
  const sections: [string, () => Promise<string>][] = [
    ['pods', () => stack.run('kubectl', '--namespace', name, 'get', 'pods', '--output=wide')],
    ["the ends of the pods' logs", () => podLogs(stack, name)],
    ['events', () => events(stack, name)],
  ];
  if (stack.config.argocd !== 'none') {
    sections.unshift(['Applications', () => applications(stack, name)]);
    for (const part of ['argocd-application-controller', 'argocd-repo-server']) {
      sections.push([`the end of ${part}'s log`, () => mentioning(stack, part, name)]);
    }
    sections.push([
      "the end of workflow-controller's log",
      () => mentioning(stack, 'workflow-controller', name),
    ]);
  }
  const texts = sections.map(async ([title, tell]) => {
    const text = await tell().catch((error) => `(cannot be had: ${error})`);
    return `--- ${title}\n${text.trimEnd() || '(none)'}`;
  });
  return (await Promise.all(texts)).join('\n');
}

async function podLogs(stack: Stack, namespace: string): Promise<string> {
  const { items } = await stack.core.listNamespacedPod({ namespace });
  const names = items.flatMap(({ metadata }) => metadata?.name ?? []);
  const options = ['--all-containers', '--prefix', '--tail=15'];
  const logs = names.map((name) =>
    stack.run('kubectl', '--namespace', namespace, 'logs', name, ...options).catch(() => ''),
  );
  return (await Promise.all(logs)).join('');
}

async function events(stack: Stack, namespace: string): Promise<string> {
  const order = '--sort-by=.lastTimestamp';
  const text = await stack.run('kubectl', '--namespace', namespace, 'get', 'events', order);
  return text.trimEnd().split('\n').slice(-25).join('\n');
}

async function applications(stack: Stack, project: string): Promise<string> {
  return (await stack.applications())
    .filter(({ metadata }) => metadata?.name?.startsWith(project))
    .map(describe)
    .join('\n');
}

function describe({ metadata, status }: Application): string {
  const operation = status?.operationState;
  const lines = [
    `${metadata?.name}: ${status?.sync?.status} at ${status?.sync?.revision}, ${status?.health?.status} ${status?.health?.message ?? ''}, reconciled ${status?.reconciledAt}`,
    `  operation: ${operation ? `${operation.phase} ${operation.startedAt} to ${operation.finishedAt ?? '-'}: ${operation.message ?? ''}` : 'none'}`,
    ...(status?.conditions ?? []).map(({ type, message }) => `  condition: ${type}: ${message}`),
    ...(status?.resources ?? []).map(
      ({ kind, name, status: sync, health }) =>
        `  resource: ${kind}/${name} ${sync} ${health?.status ?? ''} ${health?.message ?? ''}`,
    ),
  ];
  return lines.join('\n');
}

/** The last lines that speak of this test; of the whole log if none does. */
async function mentioning(stack: Stack, part: string, name: string): Promise<string> {
  const lines = (await stack.logs(part, 2000)).split('\n');
  const about = lines.filter((line) => line.includes(name));
  return (about.length > 0 ? about : lines).slice(-12).join('\n');
}
