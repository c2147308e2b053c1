// A second cluster beside the first, for Applications that deploy elsewhere: an etcd, an API server and the controllers. It has
// no node, so that nothing runs there, and the same certificate authority.

import { join } from 'node:path';
import { type Config, kubeconfigFile, logFile, NODE } from '../config.ts';
import { answers } from '../probe.ts';
import type { Program } from '../processes.ts';
import * as first from './cluster.ts';
import { option } from './command.ts';

export const SPOKE = `https://${NODE}:6444`;
/** Its kubeconfig files are those of the first with this before the name. */
export const SPOKE_CONTROLLERS = 'spoke-controller-manager';
export const spokeAudit = (config: Config) => logFile(config, 'spoke-audit');
export const spokeData = ({ state }: Config) => join(state, 'spoke-etcd');

/** In the order in which they start. */
export function spokePrograms(config: Config): Program[] {
  const etcd = 'http://127.0.0.1:2479';
  return [
    changed(first.etcd(config), () => answers(`http://${NODE}:2481/health`), {
      'data-dir': spokeData(config),
      'listen-peer-urls': 'http://127.0.0.1:2480',
      'initial-advertise-peer-urls': 'http://127.0.0.1:2480',
      'initial-cluster': 'default=http://127.0.0.1:2480',
      'listen-client-urls': etcd,
      'advertise-client-urls': etcd,
      'listen-metrics-urls': `http://${NODE}:2481`,
    }),
    changed(first.apiServer(config), () => answers(`${SPOKE}/readyz`), {
      'etcd-servers': etcd,
      'secure-port': '6444',
      'service-cluster-ip-range': '10.97.0.0/16',
      'audit-log-path': spokeAudit(config),
    }),
    changed(first.controllerManager(config), () => answers(`https://${NODE}:10357/healthz`), {
      kubeconfig: kubeconfigFile(config, SPOKE_CONTROLLERS),
      'secure-port': '10357',
    }),
  ];
}

/** The same program with other options. */
function changed(
  { name, command: [program, ...args] }: Program,
  isReady: Program['isReady'],
  options: Readonly<Record<string, string>>,
): Program {
  const isOther = (arg: string) =>
    !Object.keys(options).some((key) => arg.startsWith(option(key, '')));
  const other = Object.entries(options).map(([key, value]) => option(key, value));
  return {
    name: `spoke-${name}`,
    command: [program, ...args.filter(isOther), ...other],
    isReady,
  };
}
