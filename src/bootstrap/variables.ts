// The variables of the roles in bootstrap/.
import type { EnvironmentFile } from '../model/environment-file.ts';
import type { Platform } from '../model/platform.ts';
import { ACCOUNTS, type AccountUse } from '../ports/argocd-accounts.ts';
import { projectsAtFirst } from '../run/bootstrap-hold.ts';
import { guardOf } from './guard.ts';
import type { Value } from './manifest.ts';
import { type TriggersInput, triggersOf } from './triggers.ts';

/** Of the root Application, if the environment file does not set it. */
const ROOT_PATH = 'root';

export interface BootstrapInput {
  readonly platform: Platform;
  readonly environment: EnvironmentFile;
  /** Entries of argocd-cm. */
  readonly health: ReadonlyMap<string, string>;
  /** The folder of the charts; undefined: they are downloaded. */
  readonly charts: string | undefined;
  readonly rotateToken: boolean;
  /** The path of the Git credential; undefined: none given. Only the role that passes it on reads it. */
  readonly git: { readonly kind: 'git-token' | 'git-ssh-key'; readonly file: string } | undefined;
  /** The texts of both. */
  readonly files: TriggersInput['files'];
}

export type Variables = Readonly<Record<string, Value>>;

export function variablesOf(input: BootstrapInput): Variables {
  const { platform, environment, health, charts, rotateToken, git, files } = input;
  const { domain, gitRepository, gitRevision, gitPath } = environment;
  const projects = projectsAtFirst(platform);
  const names = projects.map(({ name }) => name);
  return {
    tiphys_argocd_namespace: platform.argocdNamespace,
    tiphys_workflows_namespace: platform.workflowsNamespace,
    tiphys_environment: { domain, gitRepository, gitRevision, gitPath: gitPath ?? ROOT_PATH },
    tiphys_health: Object.fromEntries(health),
    tiphys_policy: policyFor(names),
    tiphys_projects: projects.map(({ name, annotations, window }) => ({
      ...{ name, annotations },
      window: { ...window, applications: [...window.applications] },
    })),
    tiphys_root: platform.address === undefined ? null : { ...platform.address },
    tiphys_git_secret: `tiphys-git-${platform.name}`,
    tiphys_git: git === undefined ? null : { ...git },
    tiphys_guard: guardOf(platform.name, environment.guard),
    tiphys_triggers: triggersOf({ platform, environment, projects: names, files }),
    tiphys_charts: charts ?? '',
    tiphys_rotate_token: rotateToken,
  };
}

/** A teardown terminates an operation that blocks a deletion, which needs `sync`: Argo CD has no separate verb. */
const ON_APPLICATIONS: Readonly<Record<AccountUse, readonly string[]>> = {
  validate: ['get'],
  deploy: ['get', 'sync'],
  teardown: ['get', 'sync', 'delete'],
};

/** The permissions of Tiphys' accounts in Argo CD: what each needs, in the platform's own projects. */
export function policyFor(projects: readonly string[]): string {
  const uses = Object.keys(ACCOUNTS) as AccountUse[];
  const lines = uses.flatMap((use) => policyOf(use, projects));
  return [...lines, ''].join('\n');
}

function policyOf(use: AccountUse, projects: readonly string[]): string[] {
  const { account } = ACCOUNTS[use];
  const role = `role:${account}`;
  const lines = projects.flatMap((project) =>
    ON_APPLICATIONS[use].map((verb) => `p, ${role}, applications, ${verb}, ${project}/*, allow`),
  );
  return [...lines, `g, ${account}, ${role}`];
}

/** As YAML for Ansible, which must not evaluate any text. */
export function renderVariables(variables: Variables): string {
  const lines = Object.entries(variables).map(([key, value]) => `${key}: ${render(value)}\n`);
  return lines.join('');
}

function render(value: Value): string {
  if (typeof value === 'string') return renderText(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (isList(value)) return `[${value.map(render).join(', ')}]`;
  const entries = Object.entries(value).map(
    ([key, one]) => `${JSON.stringify(key)}: ${render(one)}`,
  );
  return `{${entries.join(', ')}}`;
}

/**
 * Ansible evaluates braces, and also the delimiters that a `#jinja2:` header at the start of a text declares. So every
 * text is marked as unsafe except one that consists of harmless characters only; Ansible would turn a marked 12000 into a number.
 */
const HARMLESS = /^[\w./:@+-]*$/;
const renderText = (text: string): string =>
  `${HARMLESS.test(text) ? '' : '!unsafe '}${JSON.stringify(text)}`;

const isList = (value: object): value is readonly Value[] => Array.isArray(value);
