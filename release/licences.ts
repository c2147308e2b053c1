// Licences that a package may have that runs with the program, which is under Apache-2.0 itself.
import type { Component, Sbom } from './sbom.ts';

const ALLOWED: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'PSF-2.0',
  'Python-2.0',
]);

/** A line for each package that nobody may pass on under these terms, or of which that is not known. */
export function licenceViolations({ components }: Pick<Sbom, 'components'>): string[] {
  return components.flatMap((component) => {
    const licences = licencesOf(component);
    if (licences.length > 0 && licences.every(isAllowed)) return [];
    return `${component.name} ${component.version}: ${licences.join(', ') || 'no licence'}`;
  });
}

const licencesOf = ({ licenses = [] }: Component): string[] =>
  licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name ?? '');

/** Of a choice one must be allowed, of several at once each. Anything with more parts is for people to read. */
function isAllowed(licence: string): boolean {
  const bare = licence.replace(/^\((.*)\)$/, '$1');
  const [choice, all] = [bare.split(' OR '), bare.split(' AND ')];
  return choice.some((one) => ALLOWED.has(one)) || all.every((one) => ALLOWED.has(one));
}
