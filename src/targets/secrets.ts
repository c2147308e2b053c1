// Secrets that come back: a server may quote what it was sent, and a program what it knows. Both end up in logs.

const MASK = '***';
/** What is shorter could be any word of an answer. */
const SHORTEST = 12;

/** Takes out what was sent to prove who asks, from every answer that quotes it. */
export function withoutSent(
  headers: Readonly<Record<string, string | readonly string[]>>,
): (text: string) => string {
  const secrets = Object.entries(headers).flatMap(([name, value]) =>
    /^(?:authorization|cookie)$/i.test(name) ? secretsOf(String(value)) : [],
  );
  return (text) => secrets.reduce((left, secret) => left.replaceAll(secret, MASK), text);
}

/** `Bearer TOKEN`, `Basic BASE64` or `name=TOKEN`: without the first word. */
function secretsOf(value: string): string[] {
  const secret = value.slice(value.search(/[ =]/) + 1).trim();
  const decoded = value.startsWith('Basic ') ? passwordOf(secret) : secret;
  return [...new Set([secret, decoded, encodeURIComponent(secret)])].filter(
    ({ length }) => length >= SHORTEST,
  );
}

function passwordOf(base64: string): string {
  const text = Buffer.from(base64, 'base64').toString();
  return text.slice(text.indexOf(':') + 1);
}

/** Before anything is looked for in it. */
const LONGEST = 4_096;
const SHOWN = 300;
const NAMED =
  /\b(token|password|secret|key|bearer)(["']?[ \t]{0,3}[:= ][ \t]{0,3}["']?)[^\s"',}]+/gi;
const OPAQUE = /[\w+/=-]{16,}/g;

/** What a program says, without what could be a secret: after its name, or a long word of letters and digits. */
export function withoutSecrets(text: string): string {
  return text
    .slice(0, LONGEST)
    .replace(NAMED, `$1$2${MASK}`)
    .replace(OPAQUE, (word) => (/\d/.test(word) && /[a-z]/i.test(word) ? MASK : word))
    .slice(0, SHOWN)
    .trim();
}
