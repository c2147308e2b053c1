// The schema of environment.yaml: the settings that differ between installations.
import { z } from 'zod';
import { destinations } from './destinations.ts';
import { applicationName, labelName, nodeTimeouts, requestTime, retries } from './fields.ts';
import { BREAK_GLASS_MAX } from './limits.ts';
import {
  ACCOUNT_NAME,
  ADDRESS_WITHOUT_CREDENTIALS,
  CRON_SCHEDULE,
  GIT_PATH,
  GIT_REVISION,
  IMAGE_REFERENCE,
  LONGEST_SETTING,
  ONE_LINE,
  PROXY_ADDRESS,
  ROOT_PATH,
} from './names.ts';

const setting = (pattern: RegExp) => z.string().max(LONGEST_SETTING).regex(pattern);

const events = z
  .strictObject({
    image: setting(IMAGE_REFERENCE).describe(
      "The executor's image, in a registry that the cluster can pull from.",
    ),
    push: z
      .boolean()
      .optional()
      .describe('A push to the Git repository starts a deployment: POST /push.'),
    call: z.boolean().optional().describe('A call starts a deployment or a validation: POST /run.'),
    schedule: setting(CRON_SCHEDULE)
      .optional()
      .describe('Validates the platform on this cron schedule, in UTC.'),
    degraded: z
      .boolean()
      .optional()
      .describe('Validates the platform when an Application becomes Degraded.'),
  })
  .describe('What starts runs automatically.');

const probes = z
  .strictObject({
    image: setting(IMAGE_REFERENCE)
      .optional()
      .describe("The executor's image, in a registry that the cluster can pull from."),
    namespace: labelName.optional().describe('Where the Jobs of probes run.'),
  })
  .describe('How `gate.probe` runs.');

const guard = z
  .strictObject({
    breakGlass: z
      .array(setting(ACCOUNT_NAME))
      .max(BREAK_GLASS_MAX)
      .optional()
      .describe('Argo CD accounts that can sync in an emergency.'),
  })
  .describe("Kubernetes refuses syncs of the platform's Applications that Tiphys did not request.");

export const environmentFile = z.strictObject({
  name: labelName.describe('For example production.'),
  domain: applicationName.describe('The DNS domain under which the platform is reached.'),
  gitRepository: z
    .string()
    .min(1)
    .regex(ADDRESS_WITHOUT_CREDENTIALS)
    .describe(
      'The repository of the root Application that bootstrap creates; without a password or token.',
    ),
  gitRevision: setting(GIT_REVISION),
  gitPath: setting(GIT_PATH)
    .optional()
    .describe("The root Application's folder in that repository."),
  clusterName: setting(ONE_LINE)
    .optional()
    .describe(
      'The name of the cluster. The first deployment records it there; another name is refused later.',
    ),
  argocdNamespace: labelName.optional(),
  argocdRootPath: setting(ROOT_PATH)
    .optional()
    .describe('The --rootpath of argocd-server, for example /argocd.'),
  argocdProxy: setting(PROXY_ADDRESS)
    .optional()
    .describe('The HTTP proxy for the address in --argocd-server.'),
  workflowsNamespace: labelName.optional(),
  timeouts: nodeTimeouts
    .extend({
      request: requestTime
        .optional()
        .describe(
          'Timeout of one request to Argo CD. A sync request includes resolving its revisions.',
        ),
    })
    .optional(),
  retries: retries.optional(),
  destinations: destinations.optional(),
  events: events.optional(),
  guard: guard.optional(),
  probes: probes.optional(),
});

/** Whether a document that was read as a platform file is an environment file, right or wrong. */
export function isEnvironment(document: unknown): boolean {
  if (typeof document !== 'object' || document === null) return false;
  return 'domain' in document && !('kind' in document) && !('spec' in document);
}

export type EnvironmentFile = z.output<typeof environmentFile>;
