// Everything that happens in a world, a line each, for whoever wants to know why.

import type { Carried } from '../../src/rehearsal/rehearsal.ts';
import type { RunEvent } from '../../src/run/events.ts';
import type { Application } from '../../src/simulator/argocd/application.ts';
import type { Change, KubeObject } from '../../src/simulator/cluster/object-store.ts';
import type { End, Life } from './life.ts';
import { operationIn, type Witness, writeOf } from './witness.ts';

export class Trace implements Witness {
  readonly #now: () => number;
  readonly #print: (line: string) => void;

  constructor(now: () => number, print: (line: string) => void) {
    this.#now = now;
    this.#print = print;
  }

  changed({ type, object }: Change): void {
    const { kind, metadata } = object;
    if (kind === 'ConfigMap' || kind === 'Lease') return;
    this.#line(`${type.toLowerCase()} ${kind} ${metadata.name} ${describe(object)}`);
  }

  sent({ name }: Life, request: { method: string; path: string }, cluster: string): void {
    this.#line(`${name} -> ${request.method} ${short(request.path)} ${cluster}`.trimEnd());
  }

  carried({ who, request, answer }: Carried): void {
    const isWrite = writeOf(request) !== undefined;
    const what = `${who} == ${request.method} ${short(request.path)}: ${answer.status}`;
    if (isWrite || answer.status >= 300)
      this.#line(`${what} ${answer.text.slice(0, isWrite ? 0 : 200)}`);
  }

  happened({ name }: Life, event: RunEvent): void {
    const { type, time: _, run: __, ...rest } = event;
    this.#line(`${name} ** ${type} ${JSON.stringify(rest)}`);
  }

  ended({ name }: Life, end: End): void {
    const how =
      end.kind === 'report'
        ? `${end.report.exitStatus} ${end.report.reason ?? ''}`
        : 'error' in end
          ? String(end.error)
          : '';
    this.#line(`${name} ended: ${end.kind} ${how}`);
  }

  #line(text: string): void {
    this.#print(`${(this.#now() / 1000).toFixed(3).padStart(9)} ${text}`);
  }
}

function short(path: string): string {
  return path.replace(/^.*\/proxy/, 'argocd ').replace(/[?&](project|appNamespace)=[^&]*/g, '');
}

function describe(object: KubeObject): string {
  if (object.kind === 'AppProject') return JSON.stringify(object.spec?.syncWindows ?? []);
  if (object.kind !== 'Application') return JSON.stringify(object.status ?? {}).slice(0, 60);
  const { operation, status } = object as unknown as Application;
  const state = status?.operationState;
  const whose = (info: unknown, automated?: boolean) =>
    operationIn(info) ?? (automated ? 'automated' : 'somebody');
  return [
    `${status?.sync?.status ?? '-'}@${(status?.sync?.revision ?? '').slice(-3)}`,
    status?.health?.status ?? '-',
    `compared ${status?.reconciledAt?.slice(14, 19) ?? '-'}`,
    operation ? `asked by ${whose(operation.info, operation.initiatedBy?.automated)}` : '',
    state
      ? `${state.phase} of ${whose(state.operation.info, state.operation.initiatedBy?.automated)} ${state.message}`
      : '',
    object.metadata.annotations?.['argocd.argoproj.io/refresh'] ? 'refresh!' : '',
    ...(status?.conditions ?? []).map(({ type }) => type),
  ].join(' ');
}
