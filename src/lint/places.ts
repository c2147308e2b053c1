// Where in a folder the findings are: the file, and the line of the annotation or of the object.
import { documentsWithLines } from '../import/git/document-lines.ts';
import {
  type FolderFiles,
  hasFile,
  hasFolder,
  isManifest,
  plainPath,
} from '../import/git/folder-files.ts';
import { groupBy } from '../import/group.ts';
import type { KubernetesObject } from '../import/material.ts';
import { SYNC_WAVE } from '../import/sync-wave.ts';
import type { Path } from '../model/positions.ts';
import type { LintFinding, Place } from './finding.ts';

interface Wanted {
  readonly finding: LintFinding;
  /** KIND/NAME */
  readonly key: string;
  /** Files, and folders with everything below them; undefined: anywhere. */
  readonly within: readonly string[] | undefined;
  readonly path: Path;
}

interface Hit {
  readonly wanted: Wanted;
  readonly place: Place;
  readonly isExact: boolean;
}

/** `placesOf`: the files and folders with what an Application deploys. */
export function withPlaces(
  findings: readonly LintFinding[],
  files: FolderFiles,
  placesOf: (application: string) => readonly string[],
): LintFinding[] {
  const wanted = findings.map((finding) => wantedOf(finding, placesOf));
  const hits = groupBy(hitsIn(files, wanted), ({ wanted: { finding } }) => keyOf(finding));
  return findings.map((finding, at) => {
    const folder = wanted[at]?.within?.find((one) => hasFile(files, one) || hasFolder(files, one));
    const found = single(hits.get(keyOf(finding)) ?? []);
    // What is rendered is in no file as it is: the folder is as near as it gets.
    const place = found ?? (folder === undefined ? null : { file: folder });
    return { ...finding, place };
  });
}

const keyOf = ({ application, object, rule }: LintFinding): string =>
  [application, object ?? '', isOfWave(rule)].join('\0');

const isOfWave = (rule: LintFinding['rule']): boolean => rule.startsWith('wave-');

function wantedOf(
  finding: LintFinding,
  placesOf: (application: string) => readonly string[],
): Wanted {
  const { application, object, rule } = finding;
  if (object === null) {
    const path = isOfWave(rule) ? ['metadata', 'annotations', SYNC_WAVE] : [];
    return { finding, key: `Application/${application}`, within: undefined, path };
  }
  const key = object.split('/').slice(0, 2).join('/');
  return { finding, key, within: placesOf(application).map(plainPath), path: [] };
}

function hitsIn(files: FolderFiles, wanted: readonly Wanted[]): Hit[] {
  const byKey = groupBy(wanted, ({ key }) => key);
  const isAnywhere = wanted.some(({ within }) => within === undefined);
  const places = new Set(wanted.flatMap(({ within }) => within ?? []));
  return files.paths.filter(isManifest).flatMap((file) => {
    if (!isAnywhere && !around(file).some((one) => places.has(one))) return [];
    const text = files.read(file);
    if (text === undefined || !/kind/.test(text)) return [];
    return documentsWithLines(text).flatMap(({ document, lineOf }) => {
      const { kind, metadata } = document as KubernetesObject;
      return (byKey.get(`${kind}/${String(metadata?.name)}`) ?? [])
        .filter(({ within }) => !within || around(file).some((one) => within.includes(one)))
        .map((one): Hit => {
          const { line, isExact } = lineOf(one.path);
          return { wanted: one, place: { file, line }, isExact };
        });
    });
  });
}

/** The file itself, and all folders that it is in. */
function around(file: string): string[] {
  const parts = file.split('/');
  return ['', ...parts.map((_, at) => parts.slice(0, at + 1).join('/'))];
}

/** Of several, as of an object and its patches, only the one that has what the finding is about. */
function single(hits: readonly Hit[]): Place | undefined {
  const distinct = [...new Map(hits.map((hit) => [JSON.stringify(hit.place), hit])).values()];
  const exact = distinct.filter(({ isExact }) => isExact);
  const [one, ...others] = exact.length === 1 ? exact : distinct;
  return others.length === 0 ? one?.place : undefined;
}
