// Clusters that Applications deploy to beside Argo CD's own, and the contexts of the kubeconfig that reach them.
import { z } from 'zod';
import { DESTINATIONS_MAX } from './limits.ts';
import { ADDRESS_WITHOUT_CREDENTIALS, LONGEST_SETTING, quote, withoutSlashes } from './names.ts';

const text = z.string().min(1).max(LONGEST_SETTING);

/** What `explain` says of a rule that no single value breaks. */
export interface BrokenRule {
  readonly code: 'value-unexpected' | 'name-duplicate';
  readonly message: string;
  readonly hint: string;
}

const ONE_NAME: BrokenRule = {
  code: 'value-unexpected',
  message: 'A destination has either "server" or "name".',
  hint: 'Write what spec.destination of the Applications says.',
};

const destination = z
  .strictObject({
    server: text
      .regex(ADDRESS_WITHOUT_CREDENTIALS)
      .optional()
      .describe('As destination.server of the Applications says it.'),
    name: text.optional().describe('As destination.name of the Applications says it.'),
    context: text.describe('The context of the kubeconfig that reaches this cluster.'),
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
  .describe('Clusters that teardown reads and cleans up beside the one of Argo CD.');

const twice = (called: string): BrokenRule => ({
  code: 'name-duplicate',
  message: `The destination ${quote(called)} is there twice.`,
  hint: 'Keep one of them.',
});

/** Contexts by the server or name that Applications give. */
export function contextsOf(entries: readonly DestinationEntry[] = []): ReadonlyMap<string, string> {
  return new Map(entries.map((entry) => [calledAs(entry), entry.context]));
}

const calledAs = ({ server, name = '' }: DestinationEntry): string =>
  server === undefined ? name : withoutSlashes(server);
