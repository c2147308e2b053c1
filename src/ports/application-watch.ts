// Changes of Applications, and of any object, as a watch tells them. Hints where to look, never verdicts.
import type { ApplicationAddress } from '../model/platform.ts';
import type { ApplicationView, ResourceName } from './application-view.ts';

/** A change that was seen by the watch. A hint where to look, never a verdict. */
export interface Hint {
  readonly name: string;
  readonly namespace: string;
  /** Undefined: it was deleted. */
  readonly application: ApplicationView | undefined;
}

export interface Watch {
  /** The newest that was seen of it. */
  readonly last: (address: ApplicationAddress) => ApplicationView | undefined;
  /** The newest that was seen of each that is there. */
  readonly all: () => Iterable<ApplicationView>;
  /** Resolves at the next change of this Application, or when the signal is given. */
  readonly nextChange: (address: ApplicationAddress, signal: AbortSignal) => Promise<void>;
  readonly subscribe: (listener: (hint: Hint) => void) => () => void;
  /**
   * Calls at each change of an object of any kind, until the signal is given. Gives back the second of its last change
   * before, Infinity where that is not known; undefined where it may not be watched.
   */
  readonly follow: (
    resource: ResourceName,
    changed: () => void,
    signal: AbortSignal,
  ) => Promise<number | undefined>;
}
