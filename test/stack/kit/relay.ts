// Stands between a program and argocd-server: sees each request and each answer from outside, and can keep either of them
// from getting through.

import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ARGOCD_SERVER } from '../config.ts';

export interface Passing {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  /** From its arrival to the end of its answer, in milliseconds. */
  took?: number;
}

/** Each is called in that very moment; what returns false goes no further. */
interface Hooks {
  arrived: (passing: Passing) => boolean;
  answered: (passing: Passing, status: number) => boolean;
}

export class Relay {
  readonly passed: Passing[] = [];
  readonly hooks: Hooks = { arrived: () => true, answered: () => true };
  readonly #agent = new Agent({ keepAlive: true });
  readonly #server = createServer((asked, answer) => this.#pass(asked, answer));

  static async start(): Promise<Relay> {
    const relay = new Relay();
    await new Promise<void>((done) => relay.#server.listen(0, '127.0.0.1', done));
    return relay;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
    this.#agent.destroy();
  }

  #pass(asked: IncomingMessage, answer: ServerResponse): void {
    const { method = '', url: path = '', headers } = asked;
    const passing: Passing = { at: Date.now(), method, path };
    const came = performance.now();
    this.passed.push(passing);
    if (!this.hooks.arrived(passing)) return void asked.socket.destroy();
    const host = ARGOCD_SERVER;
    const onward = request({
      host,
      method,
      path,
      headers: { ...headers, host },
      agent: this.#agent,
    });
    onward.on('response', (given) => {
      const { statusCode = 502 } = given;
      if (!this.hooks.answered(passing, statusCode)) return void asked.socket.destroy();
      answer.writeHead(statusCode, given.headers);
      given.pipe(answer);
      given.on('end', () => {
        passing.took = performance.now() - came;
      });
    });
    onward.on('error', () => asked.socket.destroy());
    asked.pipe(onward);
  }
}
