// What a cluster says, for people: Argo CD and Kubernetes quote what they were told.
import { withoutPasswords } from '../errors.ts';

/** Longer messages do not help, and every event and report would carry them. */
const MESSAGE_MAX = 8_192;

/** Passwords go first, since a cut could hide where one ends. */
export function foreignText(text: string, most = MESSAGE_MAX): string {
  const clean = withoutPasswords(text);
  return clean.length > most ? `${clean.slice(0, most)}...` : clean;
}
