// What runs with the program: counted, listed, and under licences that allow it.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { licenceViolations } from '../../release/licences.ts';
import { makeSbom, renderSbom } from '../../release/sbom.ts';

const sbom = makeSbom();

const runtime = Object.entries<{ dev?: boolean; version: string; integrity?: string }>(
  JSON.parse(readFileSync('package-lock.json', 'utf8')).packages,
)
  .filter(([path, { dev }]) => path !== '' && !dev)
  .map(([path, { version, integrity = '' }]) => ({
    name: path.split('node_modules/').at(-1) ?? '',
    version,
    integrity,
  }));

test('few packages run with the program', () => {
  expect(runtime.length).toBeLessThanOrEqual(10);
  expect(runtime.length).toBeGreaterThan(0);
});

test('the bill of materials has each of them, with its checksum and where it is from, and no other', () => {
  const listed = sbom.components.map(({ name, version, purl, hashes = [] }) => {
    const [hash] = hashes.filter(({ alg }) => alg === 'SHA-512');
    const integrity = `sha512-${Buffer.from(hash?.content ?? '', 'hex').toString('base64')}`;
    expect(purl).toBe(`pkg:npm/${name}@${version}`);
    return { name, version, integrity };
  });
  expect(listed).toEqual([...runtime].sort((a, b) => (a.name < b.name ? -1 : 1)));
  const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(sbom.metadata.component).toMatchObject({ name, version });
});

test('the bill is the same each time', () => {
  expect(renderSbom(makeSbom())).toBe(renderSbom(sbom));
});

test('their licences are allowed', () => {
  expect(licenceViolations(sbom)).toEqual([]);
});

const planted = (licenses: object[] | undefined) =>
  licenceViolations({ components: [{ ...sbom.components[0], licenses } as never] });

test.each([
  [[{ license: { id: 'GPL-3.0-only' } }]],
  [[{ license: { name: 'SEE LICENSE IN x' } }]],
  [[{ expression: 'MIT AND GPL-3.0-only' }]],
  [[{ expression: 'GPL-2.0-only OR LGPL-2.1-only' }]],
  [[{ license: { id: 'MIT' } }, { license: { id: 'AGPL-3.0-only' } }]],
  [[{}]],
  [[]],
  [undefined],
])('planted: %j is refused', (licenses) => {
  expect(planted(licenses)).toHaveLength(1);
});

test.each([
  [[{ license: { id: 'MIT' } }]],
  [[{ expression: '(MIT OR GPL-3.0-only)' }]],
  [[{ expression: 'MIT AND Apache-2.0' }]],
])('%j is not', (licenses) => {
  expect(planted(licenses)).toEqual([]);
});
