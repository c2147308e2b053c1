// Answers of an API, as JSON.

// biome-ignore lint/suspicious/noExplicitAny: Answers are JSON of any form; what is in them is what cases find out.
export type Json = any;

export interface Answer {
  readonly status: number;
  readonly body: Json;
}

export function answer({
  status,
  text,
}: {
  readonly status: number;
  readonly text: string;
}): Answer {
  try {
    return { status, body: JSON.parse(text) };
  } catch {
    return { status, body: text };
  }
}

export function expectOk({ status, body }: Answer): Json {
  if (status >= 300) throw new Error(`status ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** RFC 7386. */
export function merge(to: Json, from: Json): Json {
  if (typeof from !== 'object' || from === null || Array.isArray(from)) return from;
  const result = typeof to === 'object' && to !== null && !Array.isArray(to) ? { ...to } : {};
  for (const [key, value] of Object.entries(from)) {
    if (value === null) delete result[key];
    else result[key] = merge(result[key], value);
  }
  return result;
}
