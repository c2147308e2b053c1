// What the roles of bootstrap/ are told, from the files that a command reads.
import { isAbsolute, join } from 'node:path';
import { TiphysError } from '../../errors.ts';
import { environmentFile } from '../../model/environment-file.ts';
import { parseFile } from '../../model/validate.ts';
import { gitSecret } from '../../preflight/check-credentials.ts';
import { checksFolder, readChecks } from '../health/health-files.ts';
import type { Planned } from '../input/planning.ts';
import type { Io } from '../io.ts';

interface Options {
  readonly charts?: string;
  readonly secrets?: string;
  readonly rotateToken?: boolean;
}

/** As YAML. */
export async function variablesFor(
  io: Io,
  { compiled, sources }: Planned,
  { charts, secrets, rotateToken = false }: Options,
): Promise<string> {
  const [platform, environment] = sources;
  if (environment === undefined) throw noEnvironment();
  const { renderVariables, variablesOf } = await import('../../bootstrap/variables.ts');
  const { entriesOf } = await import('../../health/render.ts');
  const said = parseFile(environment, environmentFile);
  const variables = variablesOf({
    platform: compiled.platform,
    environment: said,
    health: await entriesOf(readChecks(io, checksFolder(io, undefined)), io.lua),
    charts: absolute(io, charts),
    rotateToken,
    git: gitCredential(io, said.gitRepository, secrets),
    files: { platform: platform.text, environment: environment.text },
  });
  return renderVariables(variables);
}

/** Only its place: it is in no variable, no argument and no file of ours. */
function gitCredential(io: Io, repository: string, secrets: string | undefined) {
  const kind = gitSecret(repository);
  const folder = absolute(io, secrets);
  if (kind === undefined || folder === undefined) return undefined;
  const file = join(folder, kind);
  return io.exists(file) ? { kind, file } : undefined;
}

/** Ansible works in another folder. */
export function absolute(io: Io, path: string | undefined): string | undefined {
  return path === undefined || isAbsolute(path) ? path : join(io.folder(), path);
}

function noEnvironment(): TiphysError {
  const message =
    'Bootstrap needs an environment file: it holds the Git repository of the root Application.';
  const hint = 'Set its path with -e; `tiphys init FOLDER` writes one to start from.';
  return new TiphysError([{ code: 'file-unreadable', message, hint }]);
}
