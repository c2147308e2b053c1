// AppProjects from what was read to the file that is planned.
import { expect, test } from 'vitest';
import { applicationMaterial, platformMaterial } from '../../../test/fakes/import.ts';
import { compile } from '../../plan/compile.ts';
import { renderPlatformFile } from '../../view/import/render-platform-file.ts';
import type { ApplicationMaterial } from '../material.ts';
import { propose } from '../propose.ts';
import { layOut } from './lay-out.ts';

const app = (name: string, project: string, parent?: string): ApplicationMaterial =>
  applicationMaterial(name, [], { project, ...(parent === undefined ? {} : { parent }) });

test('every Application keeps its AppProject', () => {
  const applications = [
    app('root', 'platform'),
    app('base-apps', 'platform', 'root'),
    app('team-apps', 'team', 'root'),
    app('db', 'data', 'base-apps'),
    app('cache', 'data', 'base-apps'),
    app('web', 'team', 'team-apps'),
    app('mail', 'data', 'team-apps'),
  ];
  const proposal = propose(platformMaterial(applications), { platform: 'shop' });
  const text = renderPlatformFile(layOut(proposal), { from: 'a test', order: 'evidence' });
  const { platform } = compile({ file: 'platform.yaml', text });
  const addresses = [
    platform.address,
    ...platform.stacks.flatMap(({ address, applications: members }) => [
      address,
      ...members.map((one) => one.address),
    ]),
  ].flatMap((one) => (one ? [[one.name, one.project]] : []));
  const expected = applications.map(({ name, project }) => [name, project]);
  expect(addresses.sort()).toEqual(expected.sort());
});
