// Layout -> the text of platform.yaml. The same layout gives the same bytes.
import type {
  LaidApplication,
  LaidDependency,
  LaidStack,
  Layout,
} from '../../import/layout/layout.ts';
import { API_VERSION } from '../../model/api-version.ts';
import { renderDuration } from '../../model/duration.ts';
import { renderLines } from '../lines.ts';
import { reasonText, short } from './evidence-text.ts';
import { fileOption } from './next-steps.ts';

export interface FileOrigin {
  /** What it was made from, as "the Applications of a cluster". */
  readonly from: string;
  readonly order: 'evidence' | 'waves';
  /** Where it will be written, where that is known. */
  readonly file?: string | null | undefined;
}

export function renderPlatformFile(layout: Layout, origin: FileOrigin): string {
  const { platform, argocdNamespace, project, root, stacks } = layout;
  const argocd = [`namespace: ${scalar(argocdNamespace)}`];
  if (project !== undefined) argocd.push(`project: ${scalar(project)}`);
  return renderLines([
    ...header(origin),
    `apiVersion: ${API_VERSION}`,
    'kind: Platform',
    `metadata: {name: ${scalar(platform)}}`,
    'spec:',
    `  argocd: {${argocd.join(', ')}}`,
    ...(root === undefined ? [] : [`  root: ${scalar(root)}`]),
    ...(stacks.length === 0 ? ['  stacks: []'] : ['  stacks:']),
    ...stacks.flatMap((stack) => stackLines(stack)),
  ]);
}

const FROM_MAX = 200;

function header({ from, order, file = null }: FileOrigin): string[] {
  const made = `# Made by \`tiphys import\` from ${short(from, FROM_MAX)}`;
  const next = [
    '#',
    '# Next: read it, edit it, then',
    ...[
      ['tiphys plan               ', 'see the order'],
      ['tiphys rehearse           ', 'try it on a simulated cluster'],
      ['tiphys validate           ', 'judge the platform as it runs now'],
      [
        'tiphys deploy --dry-run   ',
        'see what a deployment would do: of a healthy platform, nothing',
      ],
    ].map(([command = '', what]) => `#   ${withFile(command, file)} ${what}`),
  ];
  if (order === 'waves')
    return [
      made,
      '# The order is that of the sync waves: each wave is a stack that waits for the one before. No evidence stands behind it;',
      '# `tiphys import --order evidence` proposes dependencies instead.',
      ...next,
    ];
  return [
    made,
    '# Above each dependency is why it was proposed. hard: the sync fails without it; soft: the application does not become',
    '# Healthy without it. Dependencies that are only suggested are comments: remove "# " to have them.',
    '# What was accepted and rejected is kept in import.yaml, beside this file.',
    ...next,
  ];
}

const withFile = (command: string, file: string | null): string => {
  const option = fileOption(file);
  return option === '' ? command : `${command.trimEnd()}${option}  `;
};

function stackLines(stack: LaidStack): string[] {
  const { name, application, parent, project, dependsOn, applications } = stack;
  return [
    `    - name: ${scalar(name)}`,
    ...(parent === undefined ? [] : [`      parent: ${scalar(parent)}`]),
    ...(application === undefined ? [] : [`      application: ${scalar(application)}`]),
    ...(project === undefined ? [] : [`      argocd: {project: ${scalar(project)}}`]),
    ...dependencyLines(dependsOn, '      '),
    ...(applications.length === 0 ? ['      applications: []'] : ['      applications:']),
    ...applications.flatMap(applicationLines),
  ];
}

function applicationLines(application: LaidApplication): string[] {
  const { name, class: type, expectedDuration, fromHistory, project, dependsOn } = application;
  const history = fromHistory ? '  # from the history of its syncs' : '';
  return [
    `        - name: ${scalar(name)}`,
    ...(type === undefined ? [] : [`          class: ${scalar(type)}`]),
    ...(expectedDuration === undefined
      ? []
      : [`          expectedDuration: ${renderDuration(expectedDuration)}${history}`]),
    ...(project === undefined ? [] : [`          argocd: {project: ${scalar(project)}}`]),
    ...dependencyLines(dependsOn, '          '),
  ];
}

/** Where nothing is written, the key is a comment as well: without "# " it is valid. */
function dependencyLines(entries: readonly LaidDependency[], indent: string): string[] {
  if (entries.length === 0) return [];
  const hash = entries.some(({ isWritten }) => isWritten) ? '' : '# ';
  return [
    `${indent}${hash}dependsOn:`,
    ...entries.flatMap((entry) => [
      ...(entry.edge ? [`${indent}${hash}  # ${commentOf(entry)}`] : []),
      entry.isWritten
        ? `${indent}  - ${scalar(entry.reference)}`
        : `${indent}${hash}  ${hash === '' ? '# ' : ''}- ${scalar(entry.reference)}`,
    ]),
  ];
}

function commentOf({ edge, isWritten, because }: LaidDependency): string {
  if (!edge) return '';
  const { strength, confidence, decision } = edge;
  const head = [
    ...(isWritten ? [] : [because === undefined ? 'suggested' : 'not written']),
    strength,
    ...(confidence === 'high' ? [] : [`${confidence} confidence`]),
    ...(decision === 'accepted' ? ['accepted'] : []),
  ].join(', ');
  const refused = because === undefined ? '' : `; ${short(because, FROM_MAX)}`;
  return `${head}: ${reasonText(edge)}${refused}`;
}

/** Names that YAML would take for something else, in its newer or its older version. */
const NO_TEXT = /^(?:[-+.\d].*|true|false|null|yes|no|on|off|y|n)$/;

const scalar = (name: string): string => (NO_TEXT.test(name) ? JSON.stringify(name) : name);
