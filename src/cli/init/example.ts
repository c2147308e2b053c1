// An example of the package as a start for one's own: with the Git repository that it will live in, and in one of its two
// forms. A form decides what the Applications deploy, and nothing else.
import type { Io } from '../io.ts';

export interface ExampleFile {
  /** Within the example, with `/`. */
  readonly path: string;
  readonly text: string;
}

interface Wishes {
  readonly repository?: string;
  /** Stand-ins in place of the real software. */
  readonly standIns: boolean;
}

const REPOSITORY = 'https://git.example.com/platform/reference.git';
/** What Applications deploy from the tree itself. */
const REAL = 'manifests/';
const STAND_INS = 'stand-ins/';
const APPLICATION = /^stacks\/[^/]+\/([^/]+)\.yaml$/;
/** The end of an Application's file says what it deploys. */
const SOURCE = /^ {2}sources?:[\s\S]*$/m;
/** In the package the schemas lie elsewhere. */
const SCHEMAS = '$schema=../../schemas/';

const LARGEST = 1 << 20;

/** The files of an example that the package brings. */
export function exampleFiles(io: Io, name: string): readonly ExampleFile[] {
  return filesBelow(io, io.shipped(`examples/${name}`), '');
}

function filesBelow(io: Io, folder: string, prefix: string): readonly ExampleFile[] {
  return io.listFolder(folder).flatMap((entry) => {
    const [path, here] = [`${prefix}${entry.name}`, `${folder}/${entry.name}`];
    if (entry.isFolder) return filesBelow(io, here, `${path}/`);
    return [{ path, text: new TextDecoder().decode(io.readFile(here, LARGEST)) }];
  });
}

export function fromExample(
  files: readonly ExampleFile[],
  { repository = REPOSITORY, standIns }: Wishes,
): readonly ExampleFile[] {
  const other = standIns ? REAL : STAND_INS;
  return files
    .filter(({ path }) => !path.startsWith(other))
    .map(({ path, text }) => ({
      path,
      text: (standIns ? withStandIn(path, text) : text)
        .replaceAll(REPOSITORY, repository)
        .replaceAll(SCHEMAS, '$schema=./'),
    }));
}

function withStandIn(path: string, text: string): string {
  const [, name] = APPLICATION.exec(path) ?? [];
  if (name === undefined) return text;
  const source = `{repoURL: ${REPOSITORY}, targetRevision: main, path: ${STAND_INS}${name}}`;
  return text.replace(SOURCE, `  source: ${source}\n`);
}
