// The charts that bootstrap pins, made without a chart repository: out of the install manifests of the pinned modules, with
// images of this machine. They take the values that bootstrap gives, as the charts of that name do.
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dump, load, loadAll } from 'js-yaml';
import { moduleDirectory } from './build.ts';
import { binDirectory, type Config } from './config.ts';
import { HERE } from './machine.ts';
import { moduleSource, versionOfModule } from './modules.ts';
import { pkiFile } from './pki.ts';
import {
  ARGOCD_IMAGE,
  ARGOEXEC_IMAGE,
  CONTROLLER_IMAGE,
  EVENTS_IMAGE,
  IDLE_IMAGE,
  NATS_IMAGE,
  REDIS_IMAGE,
  SEALED_IMAGE,
} from './pod-images.ts';
import { run } from './run.ts';

const REPOSITORY = join(import.meta.dirname, '..', '..');

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: {
    readonly template?: {
      readonly spec: { containers: Container[]; initContainers?: Container[] };
    };
  };
}

interface Container {
  readonly name: string;
  image: string;
  imagePullPolicy?: string;
  args?: string[];
  env?: { name: string; value?: string }[];
  readinessProbe?: { periodSeconds?: number; initialDelaySeconds?: number };
}

/** All that bootstrap installs, each as `FOLDER/NAME-VERSION.tgz`. */
export async function allCharts(config: Config, folder: string): Promise<void> {
  await argocdChart(config, folder);
  await workflowsChart(config, folder);
  await eventsChart(config, folder);
  await sealedSecretsChart(config, folder);
}

export interface ArgocdChartOptions {
  /** A chart with a mistake: what `configs.cm` says does not get into argocd-cm. */
  readonly dropsSettings?: boolean;
}

/** Makes `FOLDER/argo-cd-VERSION.tgz`. */
export async function argocdChart(
  config: Config,
  folder: string,
  { dropsSettings = false }: ArgocdChartOptions = {},
): Promise<void> {
  const file = join(moduleDirectory(config, 'argo-cd'), 'manifests', 'install.yaml');
  const all = loadAll(await readFile(file, 'utf8')) as Manifest[];
  const wanted = all.filter(({ metadata }) => !/dex|notifications/.test(metadata.name));
  for (const manifest of wanted) settle(manifest);
  const settings = dropsSettings ? '' : SETTINGS;
  const authority = await readFile(pkiFile(config, 'ca.crt'), 'utf8');
  const replaced = new Map([
    // As somebody does whose Git server has a certificate of their own authority.
    ['ConfigMap/argocd-tls-certs-cm', `data: ${JSON.stringify({ [HERE]: authority })}\n`],
    ['ConfigMap/argocd-cm', settings],
    ['ConfigMap/argocd-rbac-cm', RIGHTS],
  ]);
  const appVersion = versionOfModule('argo-cd');
  await packageChart(config, { name: 'argocd', appVersion, folder, manifests: wanted, replaced });
}

const SETTINGS = 'data: {{ .Values.configs.cm | toJson }}\n';
const RIGHTS = 'data: {{ .Values.configs.rbac | toJson }}\n';

/** Images of this machine; ready as soon as it is. */
function settle({ spec }: Manifest): void {
  const pod = spec?.template?.spec;
  for (const container of [...(pod?.initContainers ?? []), ...(pod?.containers ?? [])]) {
    container.image = container.name === 'redis' ? REDIS_IMAGE : ARGOCD_IMAGE;
    container.imagePullPolicy = 'Never';
    container.env = [...(container.env ?? []), { name: 'ARGOCD_GPG_ENABLED', value: 'false' }];
    if (container.readinessProbe) {
      Object.assign(container.readinessProbe, { periodSeconds: 2, initialDelaySeconds: 1 });
    }
  }
}

/** Makes `FOLDER/argo-workflows-VERSION.tgz`: the controller alone, with the small definitions that fit into a release. */
async function workflowsChart(config: Config, folder: string): Promise<void> {
  const source = join(await moduleSource('argo-workflows'), 'manifests');
  const kubectl = join(binDirectory(config), 'kubectl');
  const text = await run(kubectl, ['kustomize', join(source, 'namespace-install')]);
  const all = loadAll(text) as Manifest[];
  const wanted = all.filter(
    ({ kind, metadata }) =>
      kind !== 'CustomResourceDefinition' && !metadata.name.startsWith('argo-server'),
  );
  for (const manifest of wanted) if (manifest.kind === 'Deployment') settleController(manifest);
  const definitions = await manifestsIn(join(source, 'base', 'crds', 'minimal'));
  const manifests = [...wanted, ...definitions];
  const appVersion = versionOfModule('argo-workflows');
  await packageChart(config, { name: 'argo-workflows', appVersion, folder, manifests });
}

async function manifestsIn(folder: string): Promise<Manifest[]> {
  const isManifest = (name: string) => name.startsWith('argoproj.io_');
  const names = (await readdir(folder)).filter(isManifest);
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.flatMap((text) => loadAll(text) as Manifest[]);
}

/** In the place of this variable stand those of the values. */
const VALUES = 'FROM_VALUES';

function settleController(manifest: Manifest): void {
  const name = 'argo-workflows-workflow-controller';
  const labels = { 'app.kubernetes.io/part-of': 'argo-workflows' };
  Object.assign(manifest.metadata, { name, labels });
  for (const container of manifest.spec?.template?.spec.containers ?? []) {
    container.image = CONTROLLER_IMAGE;
    container.imagePullPolicy = 'Never';
    container.env = [...(container.env ?? []), { name: VALUES }];
    const executor = ['--executor-image', ARGOEXEC_IMAGE, '--executor-image-pull-policy', 'Never'];
    container.args = [...(container.args ?? []), ...executor];
  }
}

/** Makes `FOLDER/argo-events-VERSION.tgz`: the controller for one namespace, and a bus of programs of this machine. */
async function eventsChart(config: Config, folder: string): Promise<void> {
  const file = join(moduleDirectory(config, 'argo-events'), 'manifests', 'namespace-install.yaml');
  const manifests = loadAll(await readFile(file, 'utf8')) as Manifest[];
  for (const manifest of manifests) {
    if (manifest.kind === 'Deployment') settleEvents(manifest);
    if (manifest.kind === 'ConfigMap') settleBus(manifest);
  }
  const appVersion = versionOfModule('argo-events');
  await packageChart(config, { name: 'argo-events', appVersion, folder, manifests });
}

function settleEvents(manifest: Manifest): void {
  const name = 'argo-events-controller-manager';
  const labels = { 'app.kubernetes.io/part-of': 'argo-events' };
  Object.assign(manifest.metadata, { name, labels });
  for (const container of manifest.spec?.template?.spec.containers ?? []) {
    const others = container.env?.filter((one) => one.name !== 'ARGO_EVENTS_IMAGE') ?? [];
    const own = { ARGO_EVENTS_IMAGE: EVENTS_IMAGE, IMAGE_PULL_POLICY: 'Never' };
    Object.assign(container, { image: EVENTS_IMAGE, imagePullPolicy: 'Never' });
    container.env = [...others, ...Object.entries(own).map(([name, value]) => ({ name, value }))];
  }
}

/** The same versions, with images of this machine. */
function settleBus(manifest: Manifest & { data?: Record<string, string> }): void {
  const key = 'controller-config.yaml';
  const settings = load(manifest.data?.[key] ?? '') as {
    eventBus: { jetstream: { versions: { version: string }[] } };
  };
  const { jetstream } = settings.eventBus;
  const images = {
    natsImage: NATS_IMAGE,
    metricsExporterImage: IDLE_IMAGE,
    configReloaderImage: IDLE_IMAGE,
    startCommand: '/usr/bin/nats-server',
  };
  jetstream.versions = jetstream.versions.map(({ version }) => ({ version, ...images }));
  Object.assign(manifest, { data: { [key]: dump(settings) } });
}

interface ChartParts {
  /** Of the release in bootstrap/inventory/group_vars/all.yml. */
  readonly name: string;
  readonly appVersion: string;
  readonly folder: string;
  readonly manifests: readonly Manifest[];
  /** What stands after the metadata of one, as a template. */
  readonly replaced?: ReadonlyMap<string, string>;
}

/** Makes `FOLDER/sealed-secrets-VERSION.tgz` from the chart in its own module. */
async function sealedSecretsChart(config: Config, folder: string): Promise<void> {
  const source = join(await moduleSource('kubeseal'), 'helm', 'sealed-secrets');
  const { version } = await pinOf('sealed-secrets');
  const scratch = await mkdtemp(join(tmpdir(), 'tiphys-chart-'));
  try {
    const place = join(scratch, 'sealed-secrets');
    await cp(source, place, { recursive: true });
    await run('chmod', ['-R', 'u+w', place]); // Sources of modules may not be written.
    const file = join(place, 'values.yaml');
    const values = load(await readFile(file, 'utf8')) as Record<string, unknown>;
    const [, registry = '', repository = '', tag = ''] =
      /^([^/]+)\/([^:]+):(.*)$/.exec(SEALED_IMAGE) ?? [];
    const image = { registry, repository, tag, pullPolicy: 'Never' };
    await writeFile(file, dump({ ...values, image: { ...(values.image as object), ...image } }));
    await helmPackage(config, place, folder, ['--version', version]);
  } finally {
    await rm(scratch, { recursive: true });
  }
}

interface Pin {
  readonly chart: string;
  readonly version: string;
}

async function pinOf(name: string): Promise<Pin> {
  const file = join(REPOSITORY, 'bootstrap/inventory/group_vars/all.yml');
  const variables = load(await readFile(file, 'utf8')) as { tiphys_releases: Record<string, Pin> };
  const pin = variables.tiphys_releases[name];
  if (!pin) throw new Error(`bootstrap pins no release '${name}'`);
  return pin;
}

async function packageChart(config: Config, parts: ChartParts): Promise<void> {
  const { chart, version } = await pinOf(parts.name);
  const scratch = await mkdtemp(join(tmpdir(), 'tiphys-chart-'));
  try {
    const place = join(scratch, chart);
    await mkdir(join(place, 'templates'), { recursive: true });
    await mkdir(join(place, 'crds'));
    await writeFile(
      join(place, 'Chart.yaml'),
      dump({ apiVersion: 'v2', name: chart, version, appVersion: parts.appVersion }),
    );
    await writeFile(join(place, 'values.yaml'), '');
    for (const manifest of parts.manifests) {
      await writeManifest(place, manifest, parts.replaced ?? new Map());
    }
    await helmPackage(config, place, parts.folder);
  } finally {
    await rm(scratch, { recursive: true });
  }
}

async function helmPackage(
  config: Config,
  place: string,
  folder: string,
  options: readonly string[] = [],
): Promise<void> {
  await mkdir(folder, { recursive: true });
  await run(join(binDirectory(config), 'helm'), ['package', place, '-d', folder, ...options]);
}

const fromValues = (indent: number): string =>
  `{{- .Values.controller.extraEnv | toYaml | nindent ${indent} }}`;

async function writeManifest(
  place: string,
  manifest: Manifest,
  replaced: ReadonlyMap<string, string>,
): Promise<void> {
  const { kind, metadata } = manifest;
  const file = `${kind}-${metadata.name}.yaml`;
  if (kind === 'CustomResourceDefinition') {
    return await writeFile(join(place, 'crds', file), dump(manifest));
  }
  const template = replaced.get(`${kind}/${metadata.name}`);
  const { apiVersion } = manifest as Manifest & { apiVersion: string };
  const text =
    template === undefined
      ? // Braces of the manifest itself are no template.
        dump(manifest)
          .replaceAll('{{', '{{ "{{" }}')
          .replace(/^( *)- name: FROM_VALUES$/m, (_, indent: string) => fromValues(indent.length))
      : `${dump({ apiVersion, kind, metadata })}${template}`;
  await writeFile(join(place, 'templates', file), text);
}
