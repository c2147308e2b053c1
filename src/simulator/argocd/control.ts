// What the parts of the application controller ask of it.
import type { KubeObject, Objects } from '../cluster/object-store.ts';
import type { Git } from '../git.ts';
import type { Random } from '../random.ts';
import type { VirtualTime } from '../virtual-time.ts';
import type { Application } from './application.ts';
import type { Level } from './compared.ts';
import type { Destination } from './live-cache.ts';
import type { HealthSettings } from './resource-health.ts';

export interface ControllerSettings extends HealthSettings {
  /** Milliseconds that a comparison takes. */
  readonly comparison: () => number;
  /** Milliseconds that a comparison waits for its turn where there are too many. */
  readonly backlog: () => number;
  /** Seconds after an operation in which a comparison still sees a resource as it was before. */
  readonly staleAfter: () => number;
  /** Milliseconds until a change of an Application is noticed. */
  readonly notice: () => number;
  /** Seconds between comparisons without a request. */
  readonly resync: () => number;
  /** Seconds between two waves. */
  readonly waveDelay: number;
  /** Whether what a resource's change asks for is lost, where the Application is just being compared. */
  readonly losesNews: () => boolean;
  /** Whether a request is overlooked until the Application changes again. */
  readonly overlooks: () => boolean;
  /** Whether the mark of a refresh is, too. */
  readonly missesRefresh: () => boolean;
  /** Seconds that this sync waits for a hook that does not end; undefined: it has none. */
  readonly syncHangs: (application: Application) => number | undefined;
  /** Seconds that an operation takes to end once it is terminated. */
  readonly termination: (application: Application) => number;
  /** Why the cluster that it deploys to does not answer; undefined: it does. */
  readonly unreachable: (application: Application) => string | undefined;
  /** Why this sync fails; undefined: it does not. */
  readonly syncFailure: (application: Application) => string | undefined;
}

export interface ControllerParts {
  readonly time: VirtualTime;
  /** Of the cluster that Argo CD runs in. */
  readonly objects: Objects;
  /** Those of another one, by the server or name that destinations give. */
  readonly cluster: (called: string) => Objects;
  readonly git: Git;
  readonly random: Random;
  /** Argo CD's own. */
  readonly namespace: string;
  readonly settings: () => ControllerSettings;
}

export interface Control {
  readonly parts: ControllerParts;
  /** Where an Application's objects are. */
  readonly destination: (application: Application) => Destination;
  readonly project: (application: Application) => KubeObject | undefined;
  /** Happens later, unless the controller has ended by then. */
  readonly later: (ms: number, happen: () => void) => () => void;
  readonly refresh: (application: KubeObject, level: Level) => void;
  readonly operationEnded: (application: Application, level: Level) => void;
  /** As it writes times. */
  readonly now: () => string;
}
