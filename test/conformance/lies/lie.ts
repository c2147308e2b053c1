// A world that is not as it should be in one thing, and the cases that must find out.
import type {
  Transport,
  TransportAnswer,
  TransportRequest,
} from '../../../src/targets/transport.ts';
import type { World } from '../argocd-world.ts';

export interface Lie {
  /** How the titles of the cases begin. */
  readonly foundBy: readonly string[];
  /** What is asked for instead. */
  readonly request?: (request: TransportRequest) => TransportRequest;
  readonly text?: (text: string, request: TransportRequest) => string;
  readonly status?: (answer: TransportAnswer, request: TransportRequest) => number;
  /** Of a watch; undefined: it is left out. */
  readonly line?: (line: string) => string | undefined;
  readonly world?: (world: World) => World;
}

/** What is true of the world, in a sentence. */
export type Lies = Readonly<Record<string, Lie>>;

type Changed = (text: string) => string;

export const replaced =
  (pattern: RegExp, by: string): Changed =>
  (text) =>
    text.replace(pattern, by);

/** In everything that is read, watches included. */
export const everywhere = (pattern: RegExp, by: string) => ({
  text: replaced(pattern, by),
  line: replaced(pattern, by),
});

/** In all that is written to the cluster. */
export const written = (pattern: RegExp, by: string) => ({
  request: (request: TransportRequest): TransportRequest =>
    request.body === undefined
      ? request
      : { ...request, body: JSON.parse(JSON.stringify(request.body).replace(pattern, by)) },
});

/** In all that is committed. */
export const committed = (pattern: RegExp, by: string) => ({
  world: (world: World): World => ({
    ...world,
    commit: (folder, manifests) =>
      world.commit(folder, JSON.parse(JSON.stringify(manifests).replace(pattern, by))),
  }),
});

export const asked = (pattern: RegExp, by: string) => ({
  request: (request: TransportRequest): TransportRequest => ({
    ...request,
    path: request.path.replace(pattern, by),
  }),
});

export function lying({ request, text, status, line }: Lie, way: Transport): Transport {
  return {
    send: async (given) => {
      const sent = request?.(given) ?? given;
      const answer = await way.send(sent);
      return {
        ...answer,
        status: status?.(answer, sent) ?? answer.status,
        text: text?.(answer.text, sent) ?? answer.text,
      };
    },
    stream: async (given) => {
      const stream = await way.stream(given);
      return line ? { ...stream, lines: changed(stream.lines, line) } : stream;
    },
  };
}

async function* changed(
  lines: AsyncIterable<string>,
  change: (line: string) => string | undefined,
): AsyncGenerator<string> {
  for await (const line of lines) {
    const now = change(line);
    if (now !== undefined) yield now;
  }
}
