// Valid names, and the one grammar that files, options and messages use for references.

const LABEL = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(?:\\.${LABEL})*`;

/** Platforms, stacks and classes: a DNS label, so that it fits into labels and object names. */
export const LABEL_NAME = new RegExp(`^${LABEL}$`);
/** Applications: any valid name of a Kubernetes object. */
export const APPLICATION_NAME = new RegExp(`^${SUBDOMAIN}$`);
/** The pattern of the names of generated Applications: one `*`, which matches any text. */
export const NAME_PATTERN = /^(?=.{1,253}$)[-a-z0-9.]*\*[-a-z0-9.]*$/;
/** Kubernetes' rules for labels. */
export const LABEL_KEY = new RegExp(`^(?:${SUBDOMAIN}/)?[A-Za-z0-9](?:[-\\w.]*[A-Za-z0-9])?$`);
export const LABEL_VALUE = /^(?:[A-Za-z0-9](?:[-\w.]*[A-Za-z0-9])?)?$/;
/** A kind of resource: GROUP/KIND, or KIND in the core group. */
export const KIND_NAME = /^([a-z0-9.-]+\/)?[A-Za-z][A-Za-z0-9]*$/;
/** `platform`, `stack:NAME`, `app:NAME`; a bare name means an application. */
export const REFERENCE = new RegExp(`^(?:stack:${LABEL}|(?:app:)?${SUBDOMAIN})$`);

/**
 * An address that is safe to publish: no password, and no token in its place or in the query. A user name is allowed with
 * SSH. Each part can start at one position only, so a hostile text costs no more than its length.
 */
export const ADDRESS_WITHOUT_CREDENTIALS =
  /^(?![^:]*:\/\/[^/?#:@]*:[^/?#@]*@)(?!(?!(?:git\+)?ssh:)[^:]*:\/\/[^/?#:@]*@)(?!.*(?:token|password|passwd|secret|key|sig)=)/;

/** Values in environment.yaml: plain words only, because programs with their own template language read them later. */
export const GIT_REVISION = /^[\w*<>=~^][\w./@+*<>=~^, |-]*$/;
export const GIT_PATH = /^(?!.*\.\.)[\w.][\w./ @+-]*$/;
export const IMAGE_REFERENCE = /^[a-zA-Z0-9][\w.:/@-]*$/;
/** How Argo CD names the requester of a sync: a local account, an e-mail address, an SSO subject, a project role. */
export const ACCOUNT_NAME = /^[\w.@:+|/=-]+$/;
export const CRON_SCHEDULE = /^[\w*,/?-]+( [\w*,/?-]+){4}$/;

/** Without a trailing slash. */
export const ROOT_PATH = /^(?!.*\.\.)(?:\/[\w.~-]+)+$/;
/** Without credentials: the file is stored in Git. */
export const PROXY_ADDRESS = /^https?:\/\/[\w.:[\]-]+\/?$/;
/** What a probe can request: no fragment, and ADDRESS_WITHOUT_CREDENTIALS as well. */
const PORT = '(?:6553[0-5]|655[0-2]\\d|65[0-4]\\d\\d|6[0-4]\\d{3}|[1-5]\\d{4}|[1-9]\\d{0,3})';
export const HTTP_ADDRESS = new RegExp(`^https?://[a-z0-9.-]+(?::${PORT})?(?:[/?][!-"$-~]*)?$`);
export const TCP_ADDRESS = new RegExp(`^[a-z0-9.-]+:${PORT}$`);
/** One line of text in every output. */
export const ONE_LINE = /^\S.*$/;

/** What `tiphys import` calls a kind of evidence; `*` stands for all. */
export const EVIDENCE_KIND = /^(?:\*|[a-z][a-z-]*)$/;

export const LONGEST_LABEL = 63;
export const LONGEST_LABEL_KEY = 317;
export const LONGEST_QUESTION = 200;
export const LONGEST_SETTING = 1024;
export const LONGEST_APPLICATION_NAME = 253;

/** Valid in Kubernetes, but dangerous in every program that uses names as object keys. */
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

/** Trailing slashes do not change the address of a server. */
export function withoutSlashes(server: string): string {
  let end = server.length;
  while (server[end - 1] === '/') end--;
  return server.slice(0, end);
}

/** Compares by code unit: the same order in every locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** For messages: quoted, with every character outside plain ASCII made visible, so that look-alikes show. */
export function quote(text: string): string {
  const short = text.length > 80 ? `${text.slice(0, 77)}...` : text;
  return visible(JSON.stringify(short));
}

/** Printable ASCII only: no look-alikes, no bidirectional marks, no terminal escapes. */
export function visible(text: string): string {
  return text.replace(/[^ -~]/gu, (character) => {
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}
