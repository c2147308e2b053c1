// The Helm values that an Application gives a chart: its files, its text, its parameters.
import type { RawSource } from '../application-object.ts';
import { documentsIn, isFields } from './documents.ts';
import { type FolderFiles, hasFile, plainPath } from './folder-files.ts';

export interface GivenValues {
  /** Paths in the folder. */
  readonly files: readonly string[];
  /** In the Application itself. */
  readonly inline: Readonly<Record<string, unknown>>;
}

/** `$REF/PATH` is a file of another source: of this folder, where that source is this repository. */
export function givenValues(
  { helm, path }: RawSource,
  files: FolderFiles,
  localRefs: ReadonlySet<string>,
  problem: (message: string) => void,
): GivenValues {
  const paths = (helm?.valueFiles ?? []).flatMap((file) => {
    const [first = '', ...rest] = file.split('/');
    const isLocal = first.startsWith('$') ? localRefs.has(first.slice(1)) : !file.includes('://');
    const full = first.startsWith('$')
      ? rest.join('/')
      : file.startsWith('/')
        ? file
        : `${path}/${file}`;
    const found = plainPath(full);
    if (isLocal && hasFile(files, found)) return [found];
    problem(`Its values file ${file} is not in this folder.`);
    return [];
  });
  const [text] = documentsIn(helm?.values ?? '') ?? [];
  const inline = { ...(isFields(text) ? text : {}), ...helm?.valuesObject };
  return { files: paths, inline: withParameters(inline, helm?.parameters ?? [], problem) };
}

/** As nested values, since what stands in the arguments of a program is visible to all users of the machine. */
function withParameters(
  values: Readonly<Record<string, unknown>>,
  parameters: readonly { readonly name: string; readonly value: string }[],
  problem: (message: string) => void,
): Readonly<Record<string, unknown>> {
  return parameters.reduce((all, { name, value }) => {
    if (/^[\w-]+(?:\.[\w-]+)*$/.test(name)) return withValue(all, name.split('.'), value);
    problem(`Its parameter ${name} is not supported.`);
    return all;
  }, values);
}

function withValue(
  values: Readonly<Record<string, unknown>>,
  [key = '', ...rest]: readonly string[],
  value: string,
): Readonly<Record<string, unknown>> {
  const inner = isFields(values[key]) ? values[key] : {};
  return { ...values, [key]: rest.length === 0 ? value : withValue(inner, rest, value) };
}

export const valuesOf = ({ files: paths, inline }: GivenValues, files: FolderFiles) => [
  ...paths.flatMap((path) => (documentsIn(files.read(path) ?? '') ?? []).filter(isFields)),
  ...(Object.keys(inline).length > 0 ? [inline] : []),
];
