// The schema of the config file: defaults of options, by the names of the options. What weakens a safeguard has no key here.
import { z } from 'zod';
import { ENGINES } from './engines.ts';
import { IMAGE_REFERENCE, LONGEST_SETTING } from './names.ts';

const text = z.string().min(1).max(LONGEST_SETTING);

export const configFile = z.strictObject({
  file: text.optional(),
  environment: text.optional(),
  kubeconfig: text.optional(),
  context: text.optional(),
  argocdServer: text.optional(),
  argocdCaFile: text.optional(),
  argocdTokenFile: text.optional(),
  engine: z.enum(ENGINES).optional(),
  image: text.regex(IMAGE_REFERENCE).optional(),
  quiet: z.boolean().optional(),
});
