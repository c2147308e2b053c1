import { expect, test } from 'vitest';
import { folderWith } from '../../../test/fakes/folder.ts';
import { processIo } from '../../process.ts';
import type { Output } from '../output/output.ts';
import { nothingFound, readMaterial } from './read-material.ts';

const application = (name: string) => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${name}, namespace: argocd}
spec: {project: p, source: {repoURL: https://git.example/a.git, path: ${name}}, destination: {namespace: ${name}}}
`;

test('of each stage the begin is told, and the end', async () => {
  const folder = folderWith(
    Object.fromEntries(['a', 'b', 'c'].map((name) => [`${name}.yaml`, application(name)])),
  );
  const notes: string[] = [];
  const output = { note: (text: string) => notes.push(text) } as unknown as Output;
  // A clock that stands still: nothing is told for its time.
  const io = { ...processIo, clock: { ...processIo.clock, now: () => 0 } };
  await readMaterial(io, { from: folder, argocdNamespace: 'argocd' }, output);
  expect(notes).toEqual([
    'reading sources of Applications: 1 of 3',
    'reading sources of Applications: 3 of 3',
  ]);
});

test('an Argo CD without Applications: the namespace that was looked in', () => {
  const options = { fromCluster: true, argocdNamespace: 'gitops' };
  expect(nothingFound(options, { problems: [] } as never).message).toContain(
    'The running Argo CD has no Applications in namespace gitops.',
  );
});

test('a folder that is not there, in words', async () => {
  const output = { note: () => {} } as unknown as Output;
  const reading = (from: string) =>
    readMaterial(processIo, { from, argocdNamespace: 'argocd' }, output);
  const folder = folderWith({ 'a.yaml': 'kind: A' });
  await expect(reading(`${folder}/nope`)).rejects.toThrow(
    'The folder cannot be read: there is no such folder.',
  );
  await expect(reading(`${folder}/a.yaml`)).rejects.toThrow(
    'The folder cannot be read: it is a file.',
  );
});
