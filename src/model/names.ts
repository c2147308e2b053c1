// What may be a name, and the one grammar by which files, options and messages refer to things.

const LABEL = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(?:\\.${LABEL})*`;

/** Platforms, stacks and classes: a DNS label, so that it fits into labels and object names. */
export const LABEL_NAME = new RegExp(`^${LABEL}$`);
/** Applications: what Kubernetes takes as the name of an object. */
export const APPLICATION_NAME = new RegExp(`^${SUBDOMAIN}$`);
/** What names of generated Applications look like: one `*`, which stands for any text. */
export const NAME_PATTERN = /^(?=.{1,253}$)[-a-z0-9.]*\*[-a-z0-9.]*$/;
/** As Kubernetes takes labels. */
export const LABEL_KEY = new RegExp(`^(?:${SUBDOMAIN}/)?[A-Za-z0-9](?:[-\\w.]*[A-Za-z0-9])?$`);
export const LABEL_VALUE = /^(?:[A-Za-z0-9](?:[-\w.]*[A-Za-z0-9])?)?$/;
/** A kind of resource: GROUP/KIND, or KIND for one of the core. */
export const KIND_NAME = /^([a-z0-9.-]+\/)?[A-Za-z][A-Za-z0-9]*$/;
/** `platform`, `stack:NAME`, `app:NAME`; a bare name is an application. */
export const REFERENCE = new RegExp(`^(?:stack:${LABEL}|(?:app:)?${SUBDOMAIN})$`);

/**
 * An address that anybody may read: no password, and no token in its place or in the query. A user's name is none where SSH is
 * spoken. Each part can begin at one place only, so that a hostile text costs no more than its length.
 */
export const ADDRESS_WITHOUT_CREDENTIALS =
  /^(?![^:]*:\/\/[^/?#:@]*:[^/?#@]*@)(?!(?!(?:git\+)?ssh:)[^:]*:\/\/[^/?#:@]*@)(?!.*(?:token|password|passwd|secret|key|sig)=)/;

/** What environment.yaml may say: plain words only, since programs with templates of their own read it later. */
export const GIT_REVISION = /^[\w*<>=~^][\w./@+*<>=~^, |-]*$/;
export const GIT_PATH = /^(?!.*\.\.)[\w.][\w./ @+-]*$/;
export const IMAGE_REFERENCE = /^[a-zA-Z0-9][\w.:/@-]*$/;
/** As Argo CD names who requests a sync: a local account, an e-mail address, a subject of SSO, a role of a project. */
export const ACCOUNT_NAME = /^[\w.@:+|/=-]+$/;
export const CRON_SCHEDULE = /^[\w*,/?-]+( [\w*,/?-]+){4}$/;

/** Without a slash at its end. */
export const ROOT_PATH = /^(?!.*\.\.)(?:\/[\w.~-]+)+$/;
/** Without credentials: the file goes into Git. */
export const PROXY_ADDRESS = /^https?:\/\/[\w.:[\]-]+\/?$/;
/** What a probe can ask: no fragment, and ADDRESS_WITHOUT_CREDENTIALS as well. */
const PORT = '(?:6553[0-5]|655[0-2]\\d|65[0-4]\\d\\d|6[0-4]\\d{3}|[1-5]\\d{4}|[1-9]\\d{0,3})';
export const HTTP_ADDRESS = new RegExp(`^https?://[a-z0-9.-]+(?::${PORT})?(?:[/?][!-"$-~]*)?$`);
export const TCP_ADDRESS = new RegExp(`^[a-z0-9.-]+:${PORT}$`);
/** Said in one line, wherever it is shown. */
export const ONE_LINE = /^\S.*$/;

export const LONGEST_LABEL = 63;
export const LONGEST_LABEL_KEY = 317;
export const LONGEST_QUESTION = 200;
export const LONGEST_SETTING = 1024;
export const LONGEST_APPLICATION_NAME = 253;

/** Valid for Kubernetes, but a trap for every program that keeps names as object keys. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set(['constructor']);

export type Reference =
  | { readonly kind: 'platform' }
  | { readonly kind: 'stack'; readonly name: string }
  | { readonly kind: 'app'; readonly name: string };

/** The text must match REFERENCE. */
export function parseReference(text: string): Reference {
  if (text === 'platform') return { kind: 'platform' };
  if (text.startsWith('stack:')) return { kind: 'stack', name: text.slice('stack:'.length) };
  return { kind: 'app', name: text.startsWith('app:') ? text.slice('app:'.length) : text };
}

export function renderReference(reference: Reference): string {
  return reference.kind === 'platform' ? 'platform' : `${reference.kind}:${reference.name}`;
}

/** The address of a server is the same with slashes at its end. */
export function withoutSlashes(server: string): string {
  let end = server.length;
  while (server[end - 1] === '/') end--;
  return server.slice(0, end);
}

/** By code unit: the same order in every locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** For messages: in quotes, with everything visible that is not plain ASCII, so that look-alikes show. */
export function quote(text: string): string {
  const short = text.length > 80 ? `${text.slice(0, 77)}...` : text;
  return visible(JSON.stringify(short));
}

/** Nothing but printable ASCII: no look-alikes, no marks that turn text round, no commands to a terminal. */
export function visible(text: string): string {
  return text.replace(/[^ -~]/gu, (character) => {
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}
