// The software bill of materials of what runs with the program, in the format of CycloneDX. The same lock file gives the same bytes.
import { execFileSync } from 'node:child_process';
import { z } from 'zod';

const component = z.looseObject({
  'bom-ref': z.string(),
  name: z.string(),
  version: z.string(),
  purl: z.string(),
  properties: z.array(z.object({ name: z.string(), value: z.string() })).optional(),
  hashes: z.array(z.object({ alg: z.string(), content: z.string() })).optional(),
  licenses: z
    .array(
      z.object({
        license: z.object({ id: z.string().optional(), name: z.string().optional() }).optional(),
        expression: z.string().optional(),
      }),
    )
    .optional(),
});
const document = z.looseObject({
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.string(),
  metadata: z.looseObject({ component }),
  components: z.array(component),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
});

export type Component = z.output<typeof component>;
export type Sbom = z.output<typeof document>;

const COMMAND = [
  ...['sbom', '--package-lock-only'],
  ...['--sbom-format', 'cyclonedx', '--sbom-type', 'application'],
];

export function makeSbom(folder = '.'): Sbom {
  const text = execFileSync('npm', COMMAND, {
    ...{ cwd: folder, encoding: 'utf8' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const made = document.parse(JSON.parse(text));
  // A number and a time of their own would make each one another.
  const { serialNumber: _number, metadata, ...rest } = made;
  const { timestamp: _time, tools: _tools, ...what } = metadata;
  const components = byName(made.components.filter(isAtRunTime));
  const refs = new Set([made.metadata.component, ...components].map((one) => one['bom-ref']));
  const dependencies = made.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map((one) => ({ ...one, dependsOn: one.dependsOn.filter((ref) => refs.has(ref)) }));
  const own = made.metadata.component;
  // npm takes the name of the folder that it is in.
  const name = own['bom-ref'].slice(0, own['bom-ref'].lastIndexOf('@'));
  return { ...rest, metadata: { ...what, component: { ...own, name } }, components, dependencies };
}

/** `--omit dev` also leaves out what is needed for both. */
const isAtRunTime = ({ properties = [] }: Component): boolean =>
  !properties.some(({ name }) => name === 'cdx:npm:package:development');

const byName = (components: readonly Component[]): Component[] =>
  [...components].sort((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1));

export const renderSbom = (sbom: Sbom): string => `${JSON.stringify(sbom, undefined, 2)}\n`;
