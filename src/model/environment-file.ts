// The shape of environment.yaml: what differs from one installation to the next.
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
  PROXY_ADDRESS,
  ROOT_PATH,
} from './names.ts';

const setting = (pattern: RegExp) => z.string().max(LONGEST_SETTING).regex(pattern);

const events = z
  .strictObject({
    image: setting(IMAGE_REFERENCE).describe(
      "The executor's image, where the cluster can pull it.",
    ),
    push: z.boolean().optional().describe('A push to the Git repository deploys: POST /push.'),
    call: z.boolean().optional().describe('A call deploys or validates: POST /run.'),
    schedule: setting(CRON_SCHEDULE)
      .optional()
      .describe('At these times of UTC the platform is validated, as cron says them.'),
    degraded: z.boolean().optional().describe('An Application that turns Degraded: validate.'),
  })
  .describe('What starts runs by itself.');

const probes = z
  .strictObject({
    image: setting(IMAGE_REFERENCE)
      .optional()
      .describe("The executor's image, where the cluster can pull it."),
    namespace: labelName.optional().describe('Where the Jobs of probes run.'),
  })
  .describe('How `gate.probe` runs.');

const guard = z
  .strictObject({
    breakGlass: z
      .array(setting(ACCOUNT_NAME))
      .max(BREAK_GLASS_MAX)
      .optional()
      .describe('Accounts of Argo CD that may sync in an emergency.'),
  })
  .describe("Kubernetes refuses syncs of the platform's Applications that Tiphys did not request.");

export const environmentFile = z.strictObject({
  name: labelName.describe('For example production.'),
  domain: applicationName.describe('The DNS domain under which the platform is reached.'),
  gitRepository: z
    .string()
    .min(1)
    .regex(ADDRESS_WITHOUT_CREDENTIALS)
    .describe('Where bootstrap points the root Application; without a password or token.'),
  gitRevision: setting(GIT_REVISION),
  gitPath: setting(GIT_PATH).optional().describe("The root Application's folder there."),
  clusterName: z.string().min(1).optional(),
  argocdNamespace: labelName.optional(),
  argocdRootPath: setting(ROOT_PATH)
    .optional()
    .describe('What argocd-server was given as --rootpath, such as /argocd.'),
  argocdProxy: setting(PROXY_ADDRESS)
    .optional()
    .describe('The HTTP proxy on the way to the address that --argocd-server gives.'),
  workflowsNamespace: labelName.optional(),
  timeouts: nodeTimeouts
    .extend({
      request: requestTime
        .optional()
        .describe('For one request to Argo CD: a sync, whose revisions it resolves first.'),
    })
    .optional(),
  retries: retries.optional(),
  destinations: destinations.optional(),
  events: events.optional(),
  guard: guard.optional(),
  probes: probes.optional(),
});

export type EnvironmentFile = z.output<typeof environmentFile>;
