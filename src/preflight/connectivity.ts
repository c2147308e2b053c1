// RFC 3.2.5: Git, charts and images are reachable. Checked from this machine; from the cluster only if a pod may be created for it.

import { withoutSlashes } from '../model/names.ts';
import type { Answer, PreflightContext } from './preflight-context.ts';
import { failure, type Prerequisite, pass, prerequisitesOf, type Verdict, warning } from './row.ts';
import { CHART_SOURCES, type Wanted } from './wanted.ts';

/** One request to one place. */
type Probe =
  | { readonly kind: 'http'; readonly url: string }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number }
  | { readonly kind: 'file'; readonly path: string };

export interface Endpoint {
  readonly id: string;
  readonly what: string;
  readonly probe: Probe;
  /** For HTTP: the statuses that identify the right server. */
  readonly good: (status: number) => boolean;
  /** This machine downloads charts; the cluster downloads from Git and pulls images, so for those this machine's view is only a hint. */
  readonly fetchedBy: 'machine' | 'cluster';
}

const SSH_PORT = 22;

/** Undefined if it is not an address. */
export function gitProbe(repository: string): Probe | undefined {
  const [, user, host] = /^([\w.-]+@)?([\w.-]+):(?!\/\/)/.exec(repository) ?? [];
  if (user && host) return { kind: 'tcp', host, port: SSH_PORT };
  const url = URL.parse(repository);
  if (!url) return undefined;
  if (url.protocol === 'file:') return { kind: 'file', path: decodeURIComponent(url.pathname) };
  if (url.protocol === 'ssh:') {
    return { kind: 'tcp', host: url.hostname, port: Number(url.port || SSH_PORT) };
  }
  if (!['http:', 'https:'].includes(url.protocol)) return undefined;
  // A password in it must not reach anyone, least of all a pod.
  [url.username, url.password] = ['', ''];
  return { kind: 'http', url: `${withoutSlashes(url.href)}/info/refs?service=git-upload-pack` };
}

export function endpointsOf({ gitRepository, charts, images }: Wanted): readonly Endpoint[] {
  const git = gitRepository === undefined ? undefined : gitProbe(gitRepository);
  const chartSources = charts === undefined ? CHART_SOURCES : [];
  return [
    ...(git ? [gitEndpoint(`${gitRepository}`, git)] : []),
    ...chartSources.map(
      (source): Endpoint => ({
        id: `reach:charts:${hostOf(source)}`,
        what: `charts of ${source}`,
        probe: { kind: 'http', url: `${withoutSlashes(source)}/index.yaml` },
        good: (status) => status < 400,
        fetchedBy: 'machine',
      }),
    ),
    ...images.map(
      (host): Endpoint => ({
        id: `reach:images:${host}`,
        what: `images of ${host}`,
        probe: { kind: 'http', url: `https://${host}/v2/` },
        good: (status) => status < 400 || status === 401,
        fetchedBy: 'cluster',
      }),
    ),
  ];
}

const hostOf = (url: string): string => URL.parse(url)?.host ?? url;

function gitEndpoint(repository: string, probe: Probe): Endpoint {
  // Whether it grants access is a matter of credentials.
  const good = (status: number) => status < 500;
  return {
    id: 'reach:git',
    what: `Git repository ${repository}`,
    probe,
    good,
    fetchedBy: 'cluster',
  };
}

const { must, should } = prerequisitesOf('3.2.5');

export const connectivityPrerequisites = (wanted: Wanted): readonly Prerequisite[] => {
  const endpoints = endpointsOf(wanted);
  return [
    ...(endpoints.some(({ id }) => id === 'reach:git') ? [] : [noRepository(wanted)]),
    ...endpoints.map((endpoint) => {
      const row = endpoint.fetchedBy === 'cluster' ? should : must;
      return row(endpoint.id, `this machine reaches ${endpoint.what}`, async (world) =>
        judgeReach(endpoint, wanted, await probed(endpoint.probe, world)),
      );
    }),
    ...(wanted.charts === undefined ? [] : [localCharts(wanted.charts)]),
  ];
};

function probed(probe: Probe, world: PreflightContext): Promise<Answer> | Answer {
  switch (probe.kind) {
    case 'http':
      return world.request(probe.url);
    case 'tcp':
      return world.connect(probe.host, probe.port);
    case 'file':
      return world.exists(probe.path)
        ? { kind: 'answered', status: 0 }
        : { kind: 'silent', reason: 'the folder does not exist' };
  }
}

const FROM_CLUSTER =
  'The cluster must reach it. Check from the cluster with --from-cluster, which creates a pod.';

/** Pass, or what was seen instead. */
export function reached({ good }: Endpoint, answer: Answer): Verdict | string {
  if (answer.kind === 'silent') return `no answer: ${answer.reason}`;
  const seen = answer.status === 0 ? 'there' : `answers with ${answer.status}`;
  return good(answer.status) ? pass(seen) : seen;
}

function judgeReach(endpoint: Endpoint, { fromCluster }: Wanted, answer: Answer): Verdict {
  const seen = reached(endpoint, answer);
  if (typeof seen !== 'string') return seen;
  if (endpoint.fetchedBy === 'machine') {
    const remedy = 'Allow network access to it, or provide the charts with --charts FOLDER';
    return failure('endpoint-unreachable', seen, remedy);
  }
  return warning(seen, fromCluster ? `See the row ${endpoint.id}:from-cluster.` : FROM_CLUSTER);
}

/** Air-gapped: charts come from a folder. */
const localCharts = (folder: string): Prerequisite =>
  must('reach:charts', `charts are in ${folder}`, async ({ list }) => {
    const charts = list(folder).filter((name) => name.endsWith('.tgz'));
    if (charts.length > 0) return pass(charts.join(', '));
    const remedy =
      'Download them on a machine with network access: helm pull CHART --destination FOLDER';
    return failure('endpoint-unreachable', 'no file NAME-VERSION.tgz', remedy);
  });

function noRepository({ gitRepository }: Wanted): Prerequisite {
  const seen = gitRepository === undefined ? 'no environment file sets one' : 'not a valid address';
  return should('reach:git', 'this machine reaches the Git repository', async () =>
    warning(seen, 'Set gitRepository in environment.yaml; bootstrap needs it.'),
  );
}
