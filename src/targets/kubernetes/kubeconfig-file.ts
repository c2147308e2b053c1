// One kubeconfig file: its shape, and its paths, which are meant from the folder that it is in.
import { isAbsolute, resolve, sep } from 'node:path';
import { load } from 'js-yaml';
import { z } from 'zod';
import { TiphysError } from '../../errors.ts';

/** An empty text and null are the same as nothing. */
const word = z
  .string()
  .nullish()
  .transform((value) => value || undefined);
const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false);
const listOf = <S extends z.ZodType>(schema: S) =>
  z
    .array(schema)
    .nullish()
    .transform((value) => value ?? []);
const sectionOf = <S extends z.ZodType>(schema: S) => z.preprocess((value) => value ?? {}, schema);

const cluster = z.object({
  server: word,
  'certificate-authority': word,
  'certificate-authority-data': word,
  'insecure-skip-tls-verify': flag,
  'tls-server-name': word,
  'proxy-url': word,
  extensions: listOf(z.object({ name: z.string(), extension: z.unknown() })),
});

const exec = z.object({
  apiVersion: word,
  command: word,
  args: listOf(z.string()),
  env: listOf(z.object({ name: z.string(), value: z.string() })),
  installHint: word,
  provideClusterInfo: flag,
  interactiveMode: word,
});

const user = z.object({
  'client-certificate': word,
  'client-certificate-data': word,
  'client-key': word,
  'client-key-data': word,
  token: word,
  tokenFile: word,
  'token-file': word,
  username: word,
  password: word,
  as: word,
  'as-uid': word,
  'as-groups': listOf(z.string()),
  'as-user-extra': z.record(z.string(), z.array(z.string())).nullish(),
  exec: exec.nullish(),
  'auth-provider': z
    .object({ name: word, config: sectionOf(z.record(z.string(), z.unknown())) })
    .nullish(),
});

const file = z.object({
  'current-context': word,
  contexts: listOf(
    z.object({ name: z.string(), context: sectionOf(z.object({ cluster: word, user: word })) }),
  ),
  clusters: listOf(z.object({ name: z.string(), cluster: sectionOf(cluster) })),
  users: listOf(z.object({ name: z.string(), user: sectionOf(user) })),
});

export type KubeconfigFile = z.output<typeof file>;
export type ClusterEntry = z.output<typeof cluster>;
export type UserEntry = z.output<typeof user>;
export type ExecEntry = z.output<typeof exec>;

export const CHECK = 'Check that kubectl works with the same kubeconfig and context.';

export function invalid(message: string, hint: string, options?: ErrorOptions): TiphysError {
  return new TiphysError([{ code: 'kubeconfig-invalid', message, hint }], options);
}

export function parseKubeconfig(text: string, folder: string): KubeconfigFile {
  const { clusters, users, ...rest } = shaped(text);
  const at = (path: string | undefined) =>
    path === undefined || isAbsolute(path) ? path : resolve(folder, path);
  return {
    ...rest,
    clusters: clusters.map(({ name, cluster: one }) => ({
      name,
      cluster: { ...one, 'certificate-authority': at(one['certificate-authority']) },
    })),
    users: users.map(({ name, user: one }) => ({
      name,
      user: {
        ...one,
        'client-certificate': at(one['client-certificate']),
        'client-key': at(one['client-key']),
        tokenFile: at(one.tokenFile ?? one['token-file']),
        exec: one.exec && { ...one.exec, command: commandAt(one.exec.command, at) },
      },
    })),
  };
}

/** A name is looked for on the PATH. */
function commandAt(command: string | undefined, at: (path: string) => string | undefined) {
  return command?.includes(sep) ? at(command) : command;
}

/** Neither the parser's message nor that of the schema is shown: they quote what is there, which may be a token. */
function shaped(text: string): KubeconfigFile {
  let document: unknown;
  try {
    document = load(text);
  } catch {
    document = undefined;
  }
  if (typeof document !== 'object' || document === null) {
    throw invalid('The kubeconfig is empty or not YAML.', CHECK);
  }
  const result = file.safeParse(document);
  if (result.success) return result.data;
  const where = result.error.issues[0]?.path.map(String).join('.');
  throw invalid(`The kubeconfig has a value of the wrong type at ${where || 'its root'}.`, CHECK);
}
