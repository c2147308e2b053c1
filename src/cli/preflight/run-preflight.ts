// Phase 0 as commands use it: from files and options to the report on all prerequisites. Writes nothing.

import type { EnvironmentFile } from '../../model/environment-file.ts';
import { checkPrerequisites, prerequisitesFor } from '../../preflight/check-prerequisites.ts';
import type { PreflightReport } from '../../preflight/preflight-report.ts';
import { IMAGE_SOURCES, type Wanted } from '../../preflight/wanted.ts';
import { interrupted } from '../../session/interrupted.ts';
import { planFor } from '../input/planning.ts';
import type { Io } from '../io.ts';
import { stopSignals } from '../run/signals.ts';
import { openPreflightContext, type PreflightOptions } from './open-context.ts';

/** Throws if a file is invalid; everything else is in the report. */
export async function runPreflight(io: Io, options: PreflightOptions): Promise<PreflightReport> {
  const wanted = await wantedBy(io, options);
  const ended = new AbortController();
  const signals = stopSignals(io, { reads: true });
  const { world, close } = await openPreflightContext(io, options, ended.signal);
  try {
    const stopped = new Promise<never>((_, reject) => {
      signals.stop.addEventListener('abort', () => reject(interrupted('Nothing was changed.')), {
        once: true,
      });
    });
    const checked = checkPrerequisites(prerequisitesFor(wanted), world, io.clock);
    return await Promise.race([checked, stopped]);
  } finally {
    // Late checks are not awaited and must not keep the process alive.
    ended.abort();
    await close();
    signals.close();
  }
}

async function wantedBy(io: Io, options: PreflightOptions): Promise<Wanted> {
  const { compiled, sources } = await planFor(io, 'deploy', options);
  const { argocdNamespace, argocdRootPath, workflowsNamespace, stacks } = compiled.platform;
  const [{ parseFile }, { environmentFile }] = await Promise.all([
    import('../../model/validate.ts'),
    import('../../model/environment-file.ts'),
  ]);
  const [, source] = sources;
  const environment: EnvironmentFile | undefined = source && parseFile(source, environmentFile);
  return {
    argocdNamespace,
    argocdRootPath,
    workflowsNamespace,
    charts: options.charts,
    names: stacks.flatMap(({ name, applications }) => [
      name,
      ...applications.map((application) => application.name),
    ]),
    requirements: io.shipped('bootstrap/requirements.txt'),
    gitRepository: environment?.gitRepository,
    images: options.imageSource ?? IMAGE_SOURCES,
    fromCluster: options.fromCluster ?? false,
  };
}
