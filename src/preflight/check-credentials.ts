// RFC 3.2.6: credentials exist, and are accepted as far as that can be checked without changes. None is ever shown.
import { expiryWarning, RENEW_TOKEN, type TokenLife, tokenName } from '../ports/argocd-token.ts';
import { onCluster } from './cluster.ts';
import { gitProbe } from './connectivity.ts';
import {
  type Answer,
  type ObjectView,
  type PreflightContext,
  SECRETS,
} from './preflight-context.ts';
import { failure, type Prerequisite, pass, prerequisitesOf, type Verdict, warning } from './row.ts';
import type { Wanted } from './wanted.ts';

const { must, should } = prerequisitesOf('3.2.6');

export const credentialPrerequisites = (wanted: Wanted): readonly Prerequisite[] => [
  must('credential:kubeconfig', 'a kubeconfig with a cluster and a user', async (world) => {
    await world.cluster();
    return pass(`for ${await world.server()}`);
  }),
  must('credential:git', 'the Git repository can be read', (world) =>
    gitRow(wanted.gitRepository, world),
  ),
  should(
    'credential:registry',
    'credentials of the image registries, as a Docker config',
    async ({ secret }) => judgeRegistry(secret(SECRETS.registry)),
  ),
  should(
    'credential:dns',
    'credentials of the DNS provider, if the platform has external-dns',
    async ({ secret }) => judgeDnsCredentials(wanted.names, secret(SECRETS.dns)),
  ),
  should('credential:argocd-token', 'no token of an earlier bootstrap expires soon', (world) =>
    onCluster(async ({ secrets }) => {
      const tokens = (await secrets(TOKEN_LABEL)).filter(
        ({ namespace }) => namespace === wanted.argocdNamespace,
      );
      return judgeTokens(tokens, world.now());
    })(world),
  ),
];

/** The labels of these Secrets, so that their content need not be read. */
const TOKEN_LABEL = 'tiphys.dev/token=argocd';
const EXPIRES = 'tiphys.dev/expires';

function judgeTokens(tokens: readonly ObjectView[], now: number): Verdict {
  if (tokens.length === 0) return pass('none yet: bootstrap creates them');
  const lives = tokens.map(({ name, annotations }) => {
    const expires = Date.parse(annotations.get(EXPIRES) ?? '') / 1000;
    return { secret: name, expires: Number.isNaN(expires) ? undefined : expires };
  });
  const wrong = lives.flatMap((life) => wrongLife(life, now) ?? []);
  if (wrong.length > 0) return warning(wrong.join('; '), RENEW_TOKEN);
  const first = Math.min(...lives.map(({ expires = Number.POSITIVE_INFINITY }) => expires));
  return pass(`valid until ${new Date(first * 1000).toISOString()}`);
}

function wrongLife(life: TokenLife, now: number): string | undefined {
  if (life.expires === undefined) return `the expiry of ${tokenName(life.secret)} is unknown`;
  return expiryWarning(life, now);
}

/** The file with the credential for the Git repository; undefined if it needs none. */
export function gitSecret(repository: string): 'git-token' | 'git-ssh-key' | undefined {
  const probe = gitProbe(repository);
  if (!probe || probe.kind === 'file') return undefined;
  return probe.kind === 'tcp' ? SECRETS.gitKey : SECRETS.gitToken;
}

const givenAs = (name: string) =>
  `Provide it with --secrets FOLDER, which contains the file ${name}.`;

async function gitRow(repository: string | undefined, world: PreflightContext): Promise<Verdict> {
  const probe = repository === undefined ? undefined : gitProbe(repository);
  if (!probe) return warning('the repository is unknown', 'Set gitRepository in environment.yaml.');
  if (probe.kind === 'file') return pass('not needed for a folder');
  if (probe.kind === 'tcp') return judgeGitKey(world.secret(SECRETS.gitKey));
  const token = world.secret(SECRETS.gitToken)?.trim();
  // It is sent to the host of the repository only: redirects are not followed.
  if (token !== undefined && !probe.url.startsWith('https://')) return judgeClearText(probe.url);
  const headers = token === undefined ? {} : { authorization: basic(token) };
  return judgeGitAnswer(token !== undefined, await world.request(probe.url, headers));
}

function judgeClearText(url: string): Verdict {
  const host = URL.parse(url)?.host ?? url;
  return failure(
    'credential-unsafe',
    `the token was not sent: ${host} is reached without TLS`,
    `Use https:// in gitRepository, or remove ${SECRETS.gitToken}.`,
  );
}

/** TOKEN, or USER:TOKEN if the server needs a user name. */
function basic(token: string): string {
  const pair = token.includes(':') ? token : `git:${token}`;
  return `Basic ${btoa(pair)}`;
}

function judgeGitAnswer(withToken: boolean, answer: Answer): Verdict {
  if (answer.kind === 'silent') {
    return warning('not checked: no answer to this machine', 'See the row reach:git.');
  }
  const { status } = answer;
  if (status < 300)
    return pass(withToken ? 'the token is accepted' : 'public: no credential needed');
  const seen = `${withToken ? 'with the token' : 'without a token'} it answers with ${status}`;
  if (status >= 500) return warning(seen, 'See the row reach:git.');
  const remedy = withToken
    ? `Renew the token in ${SECRETS.gitToken}, or grant it read access to this repository.`
    : givenAs(SECRETS.gitToken);
  return failure('credential-missing', seen, remedy);
}

function judgeGitKey(key: string | undefined): Verdict {
  if (key === undefined) {
    return failure('credential-missing', 'no key for SSH', givenAs(SECRETS.gitKey));
  }
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(key)) {
    const remedy = 'Put the private key there, as ssh-keygen writes it.';
    return failure(
      'credential-missing',
      `${SECRETS.gitKey} does not contain a private key`,
      remedy,
    );
  }
  return warning('a private key; not tested', 'Test it with ssh -i KEY git@HOST');
}

function judgeRegistry(config: string | undefined): Verdict {
  if (config === undefined) {
    return warning('none: only public images can be pulled', givenAs(SECRETS.registry));
  }
  const hosts = registriesOf(config);
  if (hosts.length > 0) return pass(`for ${hosts.join(', ')}; not tested`);
  const remedy = 'Use the format of Docker: {"auths": {"HOST": {"auth": "..."}}}';
  return failure('credential-missing', `${SECRETS.registry} names no registry`, remedy);
}

function registriesOf(config: string): string[] {
  try {
    return Object.keys((JSON.parse(config) as { auths?: object }).auths ?? {});
  } catch {
    return [];
  }
}

function judgeDnsCredentials(names: readonly string[], given: string | undefined): Verdict {
  if (given?.trim()) return pass('present; not tested');
  // Users choose the names of applications; most include this word.
  if (!names.some((name) => name.includes('external-dns')))
    return pass('not given; no application is called external-dns');
  return warning('missing, but the platform has external-dns', givenAs(SECRETS.dns));
}
