// A server that answers as a test says, and remembers what it was asked.
import {
  type Transport,
  type TransportAnswer,
  TransportFailure,
  type TransportRequest,
  type TransportStream,
} from '../../src/targets/transport.ts';

export type Reply = Partial<TransportAnswer> | TransportFailure;

export const json = (value: unknown, status = 200): Reply => ({
  status,
  text: JSON.stringify(value),
});
export const failure = (kind: TransportFailure['kind'] = 'unreachable') =>
  new TransportFailure(kind, `no answer: ${kind}`);

export class FakeTransport implements Transport {
  readonly requests: TransportRequest[] = [];
  readonly streams: FakeStream[] = [];
  #answer: (request: TransportRequest) => Reply | Promise<Reply>;

  /** A list is answered from in its order; its last one for ever. */
  constructor(answer: readonly Reply[] | ((request: TransportRequest) => Reply | Promise<Reply>)) {
    if (typeof answer === 'function') {
      this.#answer = answer;
    } else {
      const left = [...answer];
      this.#answer = () => (left.length > 1 ? left.shift() : left[0]) ?? failure();
    }
  }

  readonly send = async (request: TransportRequest): Promise<TransportAnswer> => {
    this.requests.push(request);
    const reply = await this.#answer(request);
    if (reply instanceof TransportFailure) throw reply;
    return { status: 200, retryAfter: undefined, text: '', ...reply };
  };

  /** Every stream that is asked for begins; the test says what comes. */
  readonly stream = async (request: TransportRequest): Promise<TransportStream> => {
    this.requests.push(request);
    const stream = new FakeStream(request);
    this.streams.push(stream);
    const status = await stream.begun;
    return { status, lines: stream };
  };
}

type Item = { readonly line: string } | { readonly end: TransportFailure | undefined };

export class FakeStream implements AsyncIterable<string> {
  readonly path: string;
  readonly begun: Promise<number>;
  #begin: (status: number) => void = () => undefined;
  #items: Item[] = [];
  #wake: () => void = () => undefined;

  constructor({ path, signal }: TransportRequest) {
    this.path = path;
    this.begun = new Promise((resolve) => {
      this.#begin = resolve;
    });
    signal?.addEventListener('abort', () => this.end(failure('cancelled')));
  }

  begin(status = 200): this {
    this.#begin(status);
    return this;
  }

  say(...events: unknown[]): this {
    this.begin();
    for (const event of events) this.#push({ line: JSON.stringify(event) });
    return this;
  }

  end(reason?: TransportFailure): void {
    this.begin();
    this.#push({ end: reason });
  }

  #push(item: Item): void {
    this.#items.push(item);
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    for (;;) {
      const item = this.#items.shift();
      if (!item) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      } else if ('line' in item) yield item.line;
      else if (item.end) throw item.end;
      else return;
    }
  }
}
