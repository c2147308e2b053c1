// Argo CD's HTTP API, with the token of one account. Small on purpose: a path, a body, the answer.

import { readFileSync } from 'node:fs';
import type { Account } from '../argocd.ts';
import { ARGOCD_SERVER, type Config, tokenFile } from '../config.ts';
import type { Application, AppProject } from './objects.ts';

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

  constructor(config: Config, account: Account) {
    this.#token = readFileSync(tokenFile(config, account), 'utf8');
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

  /** With a refresh, Argo CD compares with Git and the cluster before it answers. */
  application(name: string, refresh?: 'normal' | 'hard'): Promise<Application> {
    return this.request('GET', `applications/${name}${refresh ? `?refresh=${refresh}` : ''}`);
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

  /** Reads the project, lets it be changed and writes it back. */
  async changeProject(name: string, change: (project: AppProject) => void): Promise<AppProject> {
    const project = await this.project(name);
    change(project);
    return this.request('PUT', `projects/${name}`, { project });
  }
}
