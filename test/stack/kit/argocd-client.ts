// Argo CD's HTTP API, with the token of one account. Small on purpose: a path, a body, the answer.

import { ARGOCD_SERVER } from '../config.ts';
import type { Application, AppProject } from './objects.ts';

/** How often a refresh that is not answered is asked for again. */
const AGAIN = 4;

export class ArgocdError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'ArgocdError';
    this.status = status;
  }
}

export class ArgocdClient {
  readonly #token: string;

  constructor(token: string) {
    this.#token = token;
  }

  async request<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`http://${ARGOCD_SERVER}/api/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    if (!response.ok) throw new ArgocdError(response.status, `${method} ${path}: ${text}`);
    return JSON.parse(text) as T;
  }

  /**
   * With a refresh, Argo CD compares with Git and the cluster before it answers. Its controller overlooks one now and then, which is
   * then never answered; asked in the other way, it is seen.
   */
  async application(name: string, refresh?: 'normal' | 'hard'): Promise<Application> {
    const path = `applications/${name}`;
    if (!refresh) return this.request('GET', path);
    const other = refresh === 'hard' ? 'normal' : 'hard';
    for (let times = 0; ; times++) {
      try {
        return await this.request('GET', `${path}?refresh=${times % 2 === 0 ? refresh : other}`);
      } catch (error) {
        const isLost = error instanceof DOMException && error.name === 'TimeoutError';
        if (!isLost || times === AGAIN) throw error;
      }
    }
  }

  sync(name: string, body: Record<string, unknown> = {}): Promise<Application> {
    return this.request('POST', `applications/${name}/sync`, { name, ...body });
  }

  deleteApplication(name: string, cascade = true): Promise<unknown> {
    return this.request('DELETE', `applications/${name}?cascade=${cascade}`);
  }

  project(name: string): Promise<AppProject> {
    return this.request('GET', `projects/${name}`);
  }
}
