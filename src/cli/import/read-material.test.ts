import { expect, test } from 'vitest';
import { folderWith } from '../../../test/fakes/folder.ts';
import { processIo } from '../../process.ts';
import type { Output } from '../output/output.ts';
import { readMaterial } from './read-material.ts';

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
