// What Tiphys uses of Argo CD's API, taken from its own code: the requests that it sends, and the schemas of what it
// takes of the answers.
import { z } from 'zod';
import { importedApplication } from '../../../src/import/application-object.ts';
import { resourceTree } from '../../../src/targets/application/culprit.ts';
import { managedResources } from '../../../src/targets/application/live.ts';
import { manifestsAnswer } from '../../../src/targets/application/rendered.ts';
import { application } from '../../../src/targets/application/schema.ts';
import { argocdApi } from '../../../src/targets/argocd/api.ts';
import { argocdApplications, argocdImports } from '../../../src/targets/argocd/applications.ts';
import { canIAnswer } from '../../../src/targets/argocd/can-i.ts';
import { versionAnswer } from '../../../src/targets/argocd/find.ts';
import { directRoute } from '../../../src/targets/argocd/route.ts';
import { tokenSource } from '../../../src/targets/argocd/token.ts';
import { may, userInfo } from '../../../src/targets/argocd/token-rights.ts';
import { syncWindowsAnswer } from '../../../src/targets/argocd/windows.ts';
import { applicationSet } from '../../../src/targets/kubernetes/applications.ts';
import { appProject } from '../../../src/targets/kubernetes/projects.ts';
import type { TransportRequest } from '../../../src/targets/transport.ts';
import { FakeTransport, json } from '../../fakes/transport.ts';
import { VirtualClock } from '../../fakes/virtual-clock.ts';
import { type Fields, fieldsOf, fieldsOfValue } from './fields.ts';

export interface Operation {
  /** With the names that the description gives to its parameters. */
  readonly path: string;
  readonly method: string;
  readonly query: readonly string[];
  readonly body: Fields;
  readonly answer: Fields;
}

const A = '/api/v1/applications';

/** How a request is found in the description, and what is taken of its answer. */
const OPERATIONS: readonly (readonly [method: string, RegExp, path: string, answer: z.ZodType])[] =
  [
    ['GET', /applications\/\w+$/, `${A}/{name}`, application],
    ['GET', /managed-resources$/, `${A}/{applicationName}/managed-resources`, managedResources],
    ['GET', /manifests$/, `${A}/{name}/manifests`, manifestsAnswer],
    ['GET', /resource-tree$/, `${A}/{applicationName}/resource-tree`, resourceTree],
    ['GET', /syncwindows$/, `${A}/{name}/syncwindows`, syncWindowsAnswer],
    ['POST', /sync$/, `${A}/{name}/sync`, z.object({})],
    ['DELETE', /applications\/\w+$/, `${A}/{name}`, z.object({})],
    ['DELETE', /operation$/, `${A}/{name}/operation`, z.object({})],
    ['GET', /can-i/, '/api/v1/account/can-i/{resource}/{action}/{subresource}', canIAnswer],
    ['GET', /userinfo$/, '/api/v1/session/userinfo', userInfo],
    ['GET', /version$/, '/api/version', versionAnswer],
  ];

export async function operationsInUse(): Promise<readonly Operation[]> {
  const all = new Map<string, Operation>();
  for (const operation of (await requestsSent()).map(operationOf)) {
    const key = `${operation.method} ${operation.path}`;
    const query = new Set([...(all.get(key)?.query ?? []), ...operation.query]);
    all.set(key, { ...operation, query: [...query] });
  }
  if (all.size !== OPERATIONS.length) throw new Error('an operation of the list is not used');
  return [...all.values()];
}

function operationOf({ method, path: url, body }: TransportRequest): Operation {
  const [bare = '', query = ''] = url.split('?');
  const row = OPERATIONS.find(([of, pattern]) => of === method && pattern.test(bare));
  if (!row) throw new Error(`${method} ${url} is not in the list of operations`);
  const [, , path, answer] = row;
  return {
    path,
    method: method.toLowerCase(),
    query: [...new URLSearchParams(query).keys()],
    body: fieldsOfValue(body),
    answer: fieldsOf(answer),
  };
}

/** Everything that is ever asked of Argo CD, asked once. */
async function requestsSent(): Promise<readonly TransportRequest[]> {
  const transport = new FakeTransport([json({})]);
  const world = { clock: new VirtualClock(), random: () => 0 };
  const api = argocdApi(
    directRoute(transport),
    tokenSource(async () => 'token'),
    world,
  );
  const applications = argocdApplications(api, 'argocd');
  const imports = argocdImports(api, 'argocd');
  const address = { name: 'shop', namespace: 'argocd', project: 'platform' };
  await Promise.allSettled([
    applications.get(address),
    applications.refresh(address),
    applications.liveResources(address),
    applications.managedObjects(address),
    applications.predictedObjects(address),
    imports.objects(address),
    imports.manifests(address),
    applications.culprit(address),
    applications.syncWindows(address),
    applications.requestSync(address, {
      infos: new Map([['a', 'b']]),
      prune: true,
      syncOptions: ['x'],
    }),
    applications.terminate(address),
    applications.remove(address),
    may(api, { resource: 'applications', verb: 'get', object: 'a/b' }),
    api.read({ path: '/session/userinfo', what: '' }),
    transport.send({ method: 'GET', path: '/api/version', deadline: 1 }),
  ]);
  return transport.requests;
}

/** What is read of Argo CD's kinds straight from Kubernetes. Metadata is Kubernetes' own. */
export const KINDS: Readonly<Record<string, Fields>> = {
  application: merged(withoutMetadata(application), withoutMetadata(importedApplication)),
  applicationset: withoutMetadata(applicationSet),
  appproject: withoutMetadata(appProject),
};

function withoutMetadata(schema: z.ZodType): Fields {
  const { metadata: _, ...fields } = fieldsOf(schema);
  return fields;
}

/** What either of two schemas takes. */
function merged(one: Fields, other: Fields): Fields {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(
    names.map((name) => [name, merged(one[name] ?? {}, other[name] ?? {})]),
  );
}
