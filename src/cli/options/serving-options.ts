// Options of `tiphys rehearse serve`.
import { InvalidArgumentError, Option } from 'commander';

export interface ServeOptions {
  readonly port: number;
  readonly kubeconfigOut?: string;
}

const PORT_MAX = 65_535;

export const SERVING: readonly Option[] = [
  new Option('--port <n>', 'serve: local port; 0 selects a free one')
    .default(8001)
    .argParser((text) => {
      if (!/^\d{1,5}$/.test(text) || Number(text) > PORT_MAX)
        throw new InvalidArgumentError(`Use a number from 0 to ${PORT_MAX}.`);
      return Number(text);
    }),
  new Option(
    '--kubeconfig-out <file>',
    'serve: write a kubeconfig for the simulated cluster to this file',
  ),
];
