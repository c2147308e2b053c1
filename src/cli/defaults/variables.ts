// Every other variable of the environment that `tiphys` reads. A test compares this table with the code.
// What the executor reads is in docs/executor.md.
import { CONFIG_VARIABLE } from './settable-option.ts';

export const VARIABLES: readonly (readonly [name: string, meaning: string])[] = [
  [CONFIG_VARIABLE, 'config file, without --config'],
  ['KUBECONFIG', 'kubeconfig files, without --kubeconfig; as in kubectl'],
  ['HOME', 'where .kube/config is, without KUBECONFIG'],
  ['USERPROFILE', 'the same, on Windows'],
  ['KUBERNETES_SERVICE_HOST', 'in a pod, without KUBECONFIG: the Kubernetes API'],
  ['KUBERNETES_SERVICE_PORT', 'its port'],
  ['ARGOCD_TOKEN_FILE', 'file with the Argo CD token, without --argocd-token-file'],
  ['TIPHYS_CONFIRM', "teardown: the platform's name, without --confirm"],
  ['HTTP_PROXY', 'preflight: proxy for HTTP; also http_proxy'],
  ['HTTPS_PROXY', 'preflight: proxy for HTTPS; also https_proxy'],
  ['NO_PROXY', 'preflight: hosts without a proxy; also no_proxy'],
  ['CI', 'if set: no questions, no redrawn progress'],
  ['NO_COLOR', 'if set: no colour, without --color'],
  ['FORCE_COLOR', 'if set: colour also where there is no terminal, without --color'],
  ['TERM', 'dumb: no colour, no redrawn progress'],
  ['npm_lifecycle_event', 'after `npm start`: how the next commands are shown'],
];
