// Waits that do the orchestrator's job, and what to write instead of them.
import type { ApplicationMaterial } from '../import/material.ts';
import { findWaits } from '../import/waits/find-waits.ts';
import type { Wait, WaitTarget } from '../import/waits/wait.ts';
import type { KeptObject, LintFinding } from './finding.ts';
import type { Providers } from './providers.ts';
import { removalPatch } from './removal-patch.ts';

export interface LintedApplication {
  readonly findings: readonly LintFinding[];
  readonly kept: readonly KeptObject[];
}

export function lintWaits(
  application: ApplicationMaterial,
  providers: Providers,
): LintedApplication {
  const waits = findWaits(application);
  const kept = waits
    .filter(({ verdict }) => verdict === 'acts')
    .map(({ object, because }) => ({ application: application.name, object, because }));
  if (onlyWaits(application, waits)) {
    return { kept, findings: [waitOnly(application, waits, providers)] };
  }
  return { kept, findings: waits.flatMap((wait) => findingsOf(wait, application, providers)) };
}

/** What a Job needs to run; everything else is a purpose. */
const SUPPORT = new Set([
  ...['Job', 'ServiceAccount', 'Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'],
  ...['Namespace', 'ConfigMap'],
]);

function onlyWaits({ objects, content }: ApplicationMaterial, waits: readonly Wait[]): boolean {
  const jobs = waits.filter(({ shape }) => shape !== 'init-container');
  return (
    content === 'manifests' &&
    jobs.length > 0 &&
    jobs.every(({ verdict }) => verdict === 'waits') &&
    objects.every(({ kind }) => SUPPORT.has(kind ?? ''))
  );
}

function waitOnly(
  { name }: ApplicationMaterial,
  waits: readonly Wait[],
  providers: Providers,
): LintFinding {
  const dependencies = others(
    waits.flatMap(({ targets }) => targets),
    name,
    providers,
  );
  const [dependency] = dependencies;
  const instead =
    dependency === undefined
      ? 'Let what depends on it depend on what it waits for.'
      : `Let what depends on it depend on ${listed(dependencies)}.`;
  return {
    ...{ rule: 'wait-only-application', level: 'warning', application: name, object: null },
    message: `${name} does nothing but wait${dependency === undefined ? '' : ` for ${listed(dependencies)}`}.`,
    fix: `Delete this Application. ${instead}`,
    edge: dependency === undefined ? null : { dependent: name, dependency },
    patch: null,
  };
}

function findingsOf(
  wait: Wait,
  application: ApplicationMaterial,
  providers: Providers,
): LintFinding[] {
  const { name } = application;
  if (wait.verdict === 'acts') return [];
  if (wait.verdict === 'unsure') return unclear(wait, name, providers);
  const dependencies = others(wait.targets, name, providers);
  if (dependencies.length > 0) {
    return dependencies.map((dependency) => forApplication(wait, application, dependency));
  }
  if (!ownTargets(wait.targets, name, providers)) return unclear(wait, name, providers);
  // An order within an Application: the graph has none.
  return wait.shape === 'init-container' ? [] : [forItself(wait, application)];
}

function forApplication(
  wait: Wait,
  { name, objects }: ApplicationMaterial,
  dependency: string,
): LintFinding {
  return {
    ...{ rule: 'wait-for-application', level: 'warning', application: name, object: wait.object },
    message: `${described(wait)} waits for ${dependency} (${wait.targets.map(targetText).join(', ')}).`,
    fix: `Write ${dependency} into dependsOn of ${name}, then remove the ${shapeText(wait)}.`,
    edge: { dependent: name, dependency },
    patch: removalPatch(wait, objects),
  };
}

function forItself(wait: Wait, { name, objects }: ApplicationMaterial): LintFinding {
  return {
    ...{ rule: 'wait-for-itself', level: 'note', application: name, object: wait.object },
    message: `${described(wait)} waits for ${name} itself (${wait.targets.map(targetText).join(', ')}).`,
    fix: `Remove the ${shapeText(wait)}: the gate waits until ${name} is Healthy.`,
    edge: null,
    patch: removalPatch(wait, objects),
  };
}

/** Init containers of unknown purpose are the rule: only those that wait for another Application are worth a word. */
function unclear(wait: Wait, name: string, providers: Providers): LintFinding[] {
  const dependencies = others(wait.targets, name, providers);
  if (wait.targets.length === 0 || (wait.shape === 'init-container' && dependencies.length === 0))
    return [];
  const subject = {
    ...({ rule: 'wait-unclear', level: 'note', application: name, object: wait.object } as const),
    patch: null,
  };
  const looked = wait.targets.map(targetText).join(', ');
  if (wait.verdict === 'waits') {
    const message = `${described(wait)} waits for ${looked}, which no Application is known to have, or several may have.`;
    const fix = `Find the Application that has it, write that into dependsOn of ${name}, then remove the ${shapeText(wait)}.`;
    return [{ ...subject, message, fix, edge: null }];
  }
  const message = `${described(wait)} looks at ${looked}, but is not proved to do nothing else: ${wait.because}.`;
  const [dependency] = dependencies;
  const fix =
    dependency === undefined
      ? 'Read its script. If it only waits for another Application, write that into dependsOn and remove it.'
      : `Read its script. If it only waits, write ${dependency} into dependsOn of ${name} and remove it.`;
  return [
    {
      ...subject,
      message,
      fix,
      edge: dependency === undefined ? null : { dependent: name, dependency },
    },
  ];
}

function others(targets: readonly WaitTarget[], own: string, providers: Providers): string[] {
  const found = targets.map((target) => providers.of(target));
  return [
    ...new Set(found.filter((name): name is string => name !== undefined && name !== own)),
  ].sort();
}

function ownTargets(targets: readonly WaitTarget[], own: string, providers: Providers): boolean {
  return targets.length > 0 && targets.every((target) => providers.of(target) === own);
}

const SHAPES: Readonly<Record<Wait['shape'], string>> = {
  hook: 'hook',
  job: 'Job',
  'init-container': 'init container',
  application: 'Application',
};

const shapeText = ({ shape }: Wait): string => SHAPES[shape];
const described = (wait: Wait): string =>
  wait.shape === 'hook'
    ? `Hook ${wait.object}`
    : wait.shape === 'init-container'
      ? `Init container ${wait.object}`
      : wait.object;
const listed = (names: readonly string[]): string => names.join(' and ');

function targetText({ kind, namespace, name, resource, labels, host }: WaitTarget): string {
  const place = namespace === undefined ? '' : ` in namespace ${namespace}`;
  const which = name ?? (labels === undefined ? '' : `with labels ${labels}`);
  if (kind === 'url') return host ?? 'a URL';
  if (kind === 'crd') return `CustomResourceDefinition ${name ?? ''}`.trim();
  if (kind === 'namespace') return `namespace ${name ?? ''}`.trim();
  return `${kind === 'resource' ? resource : kind} ${which}`.trim() + place;
}
