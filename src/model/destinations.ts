// Clusters that Applications deploy to besides the one that runs Argo CD, and the kubeconfig contexts that reach them.
import { z } from 'zod';
import { DESTINATIONS_MAX } from './limits.ts';
import { ADDRESS_WITHOUT_CREDENTIALS, LONGEST_SETTING, quote, withoutSlashes } from './names.ts';

const text = z.string().min(1).max(LONGEST_SETTING);

/** What `explain` prints for a rule that no single value breaks. */
export interface BrokenRule {
  readonly code: 'value-unexpected' | 'name-duplicate';
  readonly message: string;
  readonly hint: string;
}

const ONE_NAME: BrokenRule = {
  code: 'value-unexpected',
  message: 'A destination has either "server" or "name".',
  hint: 'Write the value of spec.destination of the Applications.',
};

const destination = z
  .strictObject({
    server: text
      .regex(ADDRESS_WITHOUT_CREDENTIALS)
      .optional()
      .describe('The value of destination.server of the Applications.'),
    name: text.optional().describe('The value of destination.name of the Applications.'),
    context: text.describe('The kubeconfig context that reaches this cluster.'),
  })
  .refine(({ server, name }) => (server === undefined) !== (name === undefined), {
    params: { rule: ONE_NAME },
  });

type DestinationEntry = z.output<typeof destination>;

export const destinations = z
  .array(destination)
  .max(DESTINATIONS_MAX)
  .superRefine((entries, { addIssue }) => {
    const seen = new Set<string>();
    for (const [at, entry] of entries.entries()) {
      const called = calledAs(entry);
      const path = [at, entry.server === undefined ? 'name' : 'server'];
      if (seen.has(called)) addIssue({ code: 'custom', path, params: { rule: twice(called) } });
      seen.add(called);
    }
  })
  .describe('Clusters that teardown reads and cleans up besides the one that runs Argo CD.');

const twice = (called: string): BrokenRule => ({
  code: 'name-duplicate',
  message: `The destination ${quote(called)} is listed twice.`,
  hint: 'Keep one of them.',
});

/** Contexts by the destination server or name that Applications use. */
export function contextsOf(entries: readonly DestinationEntry[] = []): ReadonlyMap<string, string> {
  return new Map(entries.map((entry) => [calledAs(entry), entry.context]));
}

const calledAs = ({ server, name = '' }: DestinationEntry): string =>
  server === undefined ? name : withoutSlashes(server);
