// The programs of the stack: which packages of which Go modules they are built from. The versions are the pins in
// modules/NAME/go.mod and nowhere else.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { run } from './run.ts';

export interface Module {
  /** The directory under modules/ with go.mod and go.sum. */
  readonly name: string;
  /** The Go module that the programs are part of. */
  readonly path: string;
  /** File name of each program, and its package below the module's path. */
  readonly programs: Readonly<Record<string, string>>;
  /** Go variables that tell a program its own version. */
  readonly stamp?: (version: string) => Readonly<Record<string, string>>;
  /** A source file that upstream has as a symbolic link, which module archives do not hold. */
  readonly link?: { readonly file: string; readonly target: string };
  /** Another directory under modules/, where two share their pins. */
  readonly pins?: string;
  /** Only what bootstrap installs on a bare cluster needs it. */
  readonly bare?: true;
  /** A directory of the module's archive with manifests that `up` applies. */
  readonly manifests?: string;
}

const VERSION = 'k8s.io/component-base/version';
const CD = 'github.com/argoproj/argo-cd/v3';
const WORKFLOWS = 'github.com/argoproj/argo-workflows/v4';
const SIGNALS = 'workflow/executor/osspecific';

export const MODULES: readonly Module[] = [
  {
    name: 'kubernetes',
    path: 'k8s.io/kubernetes',
    programs: {
      'kube-apiserver': '/cmd/kube-apiserver',
      'kube-controller-manager': '/cmd/kube-controller-manager',
      'kube-scheduler': '/cmd/kube-scheduler',
      'kube-proxy': '/cmd/kube-proxy',
      kubelet: '/cmd/kubelet',
      kubectl: '/cmd/kubectl',
    },
    stamp: (version) => ({
      [`${VERSION}.gitVersion`]: `v${version}`,
      [`${VERSION}.gitMajor`]: version.split('.')[0] ?? '',
      [`${VERSION}.gitMinor`]: version.split('.')[1] ?? '',
    }),
  },
  { name: 'etcd', path: 'go.etcd.io/etcd/server/v3', programs: { etcd: '' } },
  { name: 'coredns', path: 'github.com/coredns/coredns', programs: { coredns: '' } },
  {
    name: 'argo-cd',
    path: CD,
    programs: { argocd: '/cmd' },
    stamp: (version) => ({ [`${CD}/common.version`]: version }),
    manifests: 'manifests',
  },
  {
    name: 'argo-workflows',
    path: WORKFLOWS,
    programs: { 'workflow-controller': '/cmd/workflow-controller', argoexec: '/cmd/argoexec' },
    stamp: (version) => ({ [`${WORKFLOWS}.version`]: `v${version}` }),
    link: { file: `${SIGNALS}/signal_linux.go`, target: `${SIGNALS}/signal_darwin.go` },
    manifests: 'manifests/base/crds/full',
  },
  {
    name: 'argo-events',
    path: 'github.com/argoproj/argo-events',
    programs: { 'argo-events': '/cmd' },
    manifests: 'manifests',
  },
  {
    name: 'helm',
    path: 'helm.sh/helm/v3',
    programs: { helm: '/cmd/helm' },
    stamp: (version) => ({ 'helm.sh/helm/v3/internal/version.version': `v${version}` }),
  },
  {
    name: 'kubeseal',
    path: 'github.com/bitnami/sealed-secrets',
    programs: { kubeseal: '/cmd/kubeseal' },
    stamp: (version) => ({ 'main.VERSION': `v${version}` }),
  },
  {
    ...{ name: 'sealed-secrets', pins: 'kubeseal', bare: true },
    path: 'github.com/bitnami/sealed-secrets',
    programs: { 'sealed-secrets': '/cmd/controller' },
    stamp: (version) => ({ 'main.VERSION': `v${version}` }),
  },
  {
    ...{ name: 'nats', bare: true },
    path: 'github.com/nats-io/nats-server/v2',
    programs: { 'nats-server': '' },
  },
  { name: 'yq', path: 'github.com/mikefarah/yq/v4', programs: { yq: '' } },
];

export const pinsDirectory = (module: Module) =>
  join(import.meta.dirname, 'modules', module.pins ?? module.name);

/** Those that a stack of this shape needs. */
export const modulesFor = ({ argocd }: Pick<Config, 'argocd'>): readonly Module[] =>
  MODULES.filter(({ bare }) => !bare || argocd === 'none');

/** The pinned version, without the leading v. */
export function versionOf(module: Module): string {
  const pins = readFileSync(join(pinsDirectory(module), 'go.mod'), 'utf8');
  for (const line of pins.split('\n')) {
    const [path, version] = line.replace('require ', '').trim().split(' ');
    if (path === module.path && version?.startsWith('v')) return version.slice(1);
  }
  throw new Error(`${pinsDirectory(module)}/go.mod does not pin ${module.path}`);
}

/** Where Go keeps the source of the pinned version. */
export async function moduleSource(name: string): Promise<string> {
  const module = MODULES.find((one) => one.name === name);
  if (!module) throw new Error(`no module is called '${name}'`);
  const options = { cwd: pinsDirectory(module) };
  await run('go', ['mod', 'download', module.path], options);
  return (await run('go', ['list', '-m', '-f', '{{.Dir}}', module.path], options)).trim();
}

export function versionOfModule(name: string): string {
  const module = MODULES.find((one) => one.name === name);
  return module ? versionOf(module) : '';
}
