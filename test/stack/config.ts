// What the stack is called, where it lives and which shape it has. Everything else asks here.

import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';

/** The bridge that pods hang on: reached from this machine and from every pod, and from nowhere else. */
export const NODE = '10.244.0.1';
/** Where argocd-server answers, from this machine as from a pod. */
export const ARGOCD_SERVER = '10.96.0.80';
/** This machine's end of the cable that leads into the stack's network. */
export const LINK = 'tiphys0';

export const ARGOCD_SHAPES = ['default', 'fast', 'none'] as const;
export type ArgocdShape = (typeof ARGOCD_SHAPES)[number];

export interface Config {
  /** All that a running stack writes; `down` removes it. */
  readonly state: string;
  /** Programs and images; kept. */
  readonly cache: string;
  /** Argo CD and Argo Workflows with the timings they ship with, with quick ones, or not at all. */
  readonly argocd: ArgocdShape;
}

/** The configuration of the stack that is up; of the one that `up` would make, where none is. */
export function loadConfig(env: NodeJS.ProcessEnv, argocd?: ArgocdShape): Config {
  const state = env.TIPHYS_STACK_STATE || '/run/tiphys-stack';
  const cache = join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'tiphys', 'stack');
  return { state, cache, argocd: argocd ?? recordedShape(state) ?? 'default' };
}

/** Undefined where no stack has been started. */
export function recordedShape(state: string): ArgocdShape | undefined {
  const file = shapeFile({ state });
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, 'utf8').trim();
  return ARGOCD_SHAPES.find((shape) => shape === text);
}

type State = Pick<Config, 'state'>;
export const shapeFile = ({ state }: State) => join(state, 'argocd-shape');
export const binDirectory = ({ state }: State) => join(state, 'bin');
export const logFile = ({ state }: State, name: string) => join(state, 'log', name);
export const auditFile = ({ state }: State) => join(state, 'log', 'audit');
export const kubeconfigFile = ({ state }: State, user = 'admin') =>
  join(state, `${user}.kubeconfig`);
export const tokenFile = ({ state }: State, account = 'tiphys') => join(state, 'tokens', account);
export const containerdSocket = ({ state }: State) => join(state, 'containerd.sock');
/** The control group that the kubelet keeps its pods in. */
export const podGroup = ({ state }: State) => basename(state);
export const volumesDirectory = ({ state }: State) => join(state, 'volumes');

/** What a program needs in its environment to use the stack. A proxy for the outside is not for us. */
export function stackEnvironment(config: Config, env: NodeJS.ProcessEnv): Record<string, string> {
  const noProxy = [env.NO_PROXY || env.no_proxy, NODE, ARGOCD_SERVER].filter(Boolean).join(',');
  return {
    KUBECONFIG: kubeconfigFile(config),
    ...(config.argocd === 'none'
      ? {}
      : {
          ARGOCD_SERVER: `http://${ARGOCD_SERVER}`,
          ARGOCD_TOKEN_FILE: tokenFile(config),
        }),
    PATH: `${binDirectory(config)}:${env.PATH ?? ''}`,
    NO_PROXY: noProxy,
    no_proxy: noProxy,
  };
}
