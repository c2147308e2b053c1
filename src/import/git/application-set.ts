// An ApplicationSet in a file -> the Applications that it would generate.
import type { ReadProblem } from '../material.ts';
import { isFields } from './documents.ts';
import type { FolderFiles } from './folder-files.ts';
import { parametersOf } from './generators.ts';
import { fill } from './template.ts';

export interface GeneratedApplications {
  readonly applications: readonly unknown[];
  readonly problems: readonly ReadProblem[];
}

export function expandApplicationSet(set: unknown, files: FolderFiles): GeneratedApplications {
  const problems: ReadProblem[] = [];
  const { metadata, spec } = isFields(set) ? set : {};
  const name = isFields(metadata) ? String(metadata.name) : 'an ApplicationSet without a name';
  const problem = (message: string) => problems.push({ subject: name, message });
  if (!isFields(spec) || !isFields(spec.template) || !Array.isArray(spec.generators)) {
    problem('It has no generators, or no template. It is not expanded.');
    return { applications: [], problems };
  }
  const isGo = spec.goTemplate === true;
  if (spec.templatePatch !== undefined) problem('templatePatch is not supported: it is left out.');
  const { template } = spec;
  const expansion = { files, isGo, problem };
  const all = spec.generators.flatMap((one: unknown) => parametersOf(one, expansion));
  const applications = all.flatMap((parameters) => {
    const { value, left } = fill(template, parameters, isGo);
    return generated(value, left, name, problem);
  });
  return { applications, problems };
}

function generated(
  value: Readonly<Record<string, unknown>>,
  left: readonly string[],
  set: string,
  problem: (message: string) => void,
): readonly unknown[] {
  const metadata = isFields(value.metadata) ? value.metadata : {};
  const name = String(metadata.name);
  if (left.length > 0) {
    const what = [...new Set(left)].slice(0, 5).join(', ');
    if (name.includes('{{')) {
      problem(`The name of what it generates depends on ${what}. It is left out.`);
      return [];
    }
    problem(`${name} depends on ${what}, which is not known.`);
  }
  const ownerReferences = [{ kind: 'ApplicationSet', name: set }];
  return [{ ...value, kind: 'Application', metadata: { ...metadata, ownerReferences } }];
}
