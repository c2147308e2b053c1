// The state of a platform as a validation tells it, and how states of applications add up.
import { EXIT, type ExitStatus } from '../errors.ts';
import { traitsOf } from '../gate/conditions.ts';
import type { Evidence } from '../gate/evidence.ts';
import type { Unmet } from '../gate/verdict.ts';
import type { API_VERSION } from '../model/api-version.ts';
import type { ApplicationView } from '../ports/application-view.ts';
import type { Bypass, ForeignSync } from '../run/foreign-sync.ts';
import type { Where } from './where.ts';

/** From good to bad. Failed is what will not recover automatically: a failed operation, an error, Unknown. */
export type State = 'Healthy' | 'Progressing' | 'Degraded' | 'Missing' | 'Failed';

export interface ValidationNode {
  readonly id: string;
  readonly stack: string | null;
  readonly state: State;
  readonly unmet: Unmet | null;
  readonly sync: string | null;
  readonly health: string | null;
  /** Seconds since Argo CD compared it. */
  readonly age: number | null;
  readonly evidence: Evidence | null;
  /** Its last sync, if another client requested it. */
  readonly syncedBy?: ForeignSync;
}

export interface Validation {
  readonly apiVersion: typeof API_VERSION;
  readonly kind: 'Validation';
  readonly platform: string;
  /** Absent: a simulated cluster, or it was not read. */
  readonly where?: Where | undefined;
  readonly plan: string;
  readonly scope: readonly string[];
  /** Labels of the Applications that were judged; absent: all of them. */
  readonly selector?: string;
  readonly state: State;
  readonly exitStatus: number;
  readonly stacks: readonly { readonly name: string; readonly state: State }[];
  readonly held: readonly string[];
  /** Made by a parent of the platform, but not in its file. */
  readonly unexpected: readonly string[];
  /** Whose gates have a probe, which only a deployment runs. */
  readonly notProbed?: readonly string[];
  /** Syncs by other clients that began before dependencies were Healthy. Absent: none is known. */
  readonly bypasses?: readonly Bypass[];
  readonly nodes: readonly ValidationNode[];
}

export function stateOf(application: ApplicationView | undefined, unmet: Unmet | undefined): State {
  if (!unmet) return 'Healthy';
  if (!application) return 'Missing';
  const { operationState, health } = application;
  const { shownAs } = traitsOf(unmet.condition);
  const failed = operationState?.phase === 'Failed' || operationState?.phase === 'Error';
  if (failed || shownAs === 'Failed' || health.status === 'Unknown') return 'Failed';
  if (health.status === 'Missing') return 'Missing';
  if (health.status === 'Progressing' || shownAs === 'Progressing') return 'Progressing';
  return 'Degraded';
}

/** RFC 5.5: the first line of which there is any among the members says what they add up to. */
export const ROLL_UP: readonly (readonly [among: State, gives: State])[] = [
  ['Failed', 'Failed'],
  ['Degraded', 'Degraded'],
  ['Missing', 'Degraded'],
  ['Progressing', 'Progressing'],
];

export function rollUp(states: Iterable<State>): State {
  const all = new Set(states);
  return ROLL_UP.find(([among]) => all.has(among))?.[1] ?? 'Healthy';
}

/** `amiss`: how much is wrong without shutting a gate. */
export function validationStatus(platform: State, amiss: number): ExitStatus {
  if (platform === 'Failed') return EXIT.failure;
  return platform === 'Healthy' && amiss === 0 ? EXIT.ok : EXIT.partial;
}
