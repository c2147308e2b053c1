// Addresses of Services inside texts. Every step goes once through the text, so that a hostile one costs no more than its length.

export interface ServiceAddress {
  readonly service: string;
  readonly namespace: string;
  /** Written as SERVICE.NAMESPACE.svc, so that it cannot be anything else. */
  readonly isCertain: boolean;
}

const LABEL_MAX = 63;
/** Longer texts are scripts and dashboards: only certain addresses are looked for. */
const GUESSED_MAX = 4_096;
const AT_MOST = 200;

export function serviceAddresses(text: string): ServiceAddress[] {
  const found = new Map<string, ServiceAddress>();
  const add = (address: ServiceAddress | undefined) => {
    // The API server is there before anything else.
    if (address && !(address.namespace === 'default' && address.service === 'kubernetes'))
      found.set(`${address.namespace}/${address.service}`, address);
  };
  for (let from = text.indexOf('.svc'); from !== -1; from = text.indexOf('.svc', from + 4)) {
    if (found.size >= AT_MOST) break;
    add(before(text, from));
  }
  if (found.size === 0 && text.length <= GUESSED_MAX) add(guessed(text));
  return [...found.values()];
}

function before(text: string, end: number): ServiceAddress | undefined {
  if (isLabelCharacter(text.charCodeAt(end + 4))) return undefined;
  const namespace = labelBefore(text, end);
  const dot = end - namespace.length - 1;
  if (namespace === '' || text[dot] !== '.') return undefined;
  const service = labelBefore(text, dot);
  return service === '' ? undefined : { service, namespace, isCertain: true };
}

function labelBefore(text: string, end: number): string {
  let start = end;
  while (end - start < LABEL_MAX && start > 0 && isLabelCharacter(text.charCodeAt(start - 1)))
    start -= 1;
  return text.slice(start, end);
}

/** a-z, 0-9 and the hyphen. */
function isLabelCharacter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 45;
}

/** SERVICE.NAMESPACE as a whole text, or as the host of an address; at most GUESSED_MAX characters. */
function guessed(text: string): ServiceAddress | undefined {
  const scheme = text.indexOf('://');
  const host = (scheme === -1 ? text : text.slice(scheme + 3)).split(/[/:?#\s"'@]/, 1)[0] ?? '';
  const [service = '', namespace = '', ...rest] = host.split('.');
  if (rest.length > 0 || !isLabel(service) || !isLabel(namespace)) return undefined;
  return { service, namespace, isCertain: false };
}

function isLabel(text: string): boolean {
  return (
    text !== '' &&
    text.length <= LABEL_MAX &&
    [...text].every((c) => isLabelCharacter(c.charCodeAt(0)))
  );
}
