// Helm and Kustomize as programs of this machine. They only read: nothing is written into the folder. Kustomize itself refuses links
// that lead out of it; Helm follows them.
import { dirname, resolve } from 'node:path';
import { withoutPasswords } from '../../errors.ts';
import type { ChartRequest, RemoteChart, Rendered, Renderer } from '../../import/git/renderer.ts';
import { quote } from '../../model/names.ts';
import { withoutSecrets } from '../../targets/secrets.ts';
import type { Io } from '../io.ts';
import { linkOut } from './links.ts';

const TIMEOUT_MS = 60_000;

/** Not a path out of the folder where Helm starts. Empty: the address says it. */
const CHART_NAME = /^(?:[\w-][\w.-]*(?:\/[\w-][\w.-]*)*)?$/;

type Runs = Pick<Io, 'runProgram' | 'withFile' | 'listFolder' | 'realPath'>;

export function programRenderer(io: Runs, root: string, signal: AbortSignal): Renderer {
  const run = async (
    program: string,
    args: readonly string[],
    place?: { readonly folder: string },
  ): Promise<Rendered | 'missing'> => {
    const end = await io.runProgram({ program, args, timeoutMs: TIMEOUT_MS, signal, ...place });
    if (end.kind === 'missing') return 'missing';
    if (end.kind === 'late')
      return { problem: `${program} took longer than ${TIMEOUT_MS / 1000} s.` };
    if (end.status === 0) return { text: end.stdout };
    return { problem: `${program} failed: ${withoutSecrets(end.stderr)}` };
  };
  return {
    kustomize: async (path) => {
      const folder = resolve(root, path);
      const built = await run('kustomize', ['build', folder]);
      const result = built === 'missing' ? await run('kubectl', ['kustomize', folder]) : built;
      return result === 'missing' ? absent('Kustomize', 'kustomize or kubectl') : result;
    },
    // Values may be secret: they go through a file that only this user can read.
    helm: async (request) => {
      const { chart } = request;
      if ('repository' in chart && withoutPasswords(chart.repository) !== chart.repository) {
        return { problem: 'The address of its repository has a password, which is not passed on.' };
      }
      if ('name' in chart && !CHART_NAME.test(chart.name)) {
        return { problem: `Its chart ${quote(chart.name)} is no name of a chart.` };
      }
      const link = [...('path' in chart ? [chart.path] : []), ...request.valueFiles]
        .map((path) => linkOut(io, root, path))
        .find((path) => path !== undefined);
      if (link !== undefined) {
        return { problem: `It is not rendered: ${link} is a link that leads out of the folder.` };
      }
      return io.withFile('values.json', JSON.stringify(request.values), async (values) => {
        // Helm prefers a folder of that name where it starts to the chart of the repository.
        const place = { folder: dirname(values) };
        const result = await run('helm', helmArguments(request, root, values), place);
        return result === 'missing' ? absent('Helm', 'helm') : result;
      });
    },
  };
}

const absent = (what: string, program: string): Rendered => ({
  problem: `It is rendered by ${what}, and there is no ${program} on this machine.`,
});

function helmArguments(request: ChartRequest, root: string, values: string): readonly string[] {
  const { release, namespace, chart, valueFiles } = request;
  const { options, place } =
    'path' in chart ? { options: [], place: resolve(root, chart.path) } : remotePlace(chart);
  return [
    ...['template', '--include-crds', ...options],
    ...(namespace === '' ? [] : [`--namespace=${namespace}`]),
    ...valueFiles.map((file) => `--values=${resolve(root, file)}`),
    `--values=${values}`,
    // After this, nothing that a file says is an option.
    ...['--', release, place],
  ];
}

/** A registry is named without its scheme where the chart has its own name. */
function remotePlace({ name, repository, version }: RemoteChart) {
  const options = version === '' ? [] : [`--version=${version}`];
  if (name === '') return { options, place: repository };
  if (!/^https?:/.test(repository)) return { options, place: `oci://${repository}/${name}` };
  return { options: [`--repo=${repository}`, ...options], place: name };
}
