import { describe, expect, it } from 'vitest';
import { applicationMaterial, platformMaterial } from '../../test/fakes/import.ts';
import { definition, deployment, object } from '../../test/fakes/import-objects.ts';
import type { ApplicationMaterial } from './material.ts';
import { propose } from './propose.ts';

const crd = definition('light.example', 'Lamp');
const run = (applications: readonly ApplicationMaterial[]) =>
  propose(platformMaterial(applications), { platform: 'p' });

describe('stacks', () => {
  const shape = (applications: readonly ApplicationMaterial[]) => {
    const { root, stacks } = run(applications);
    const text = stacks.map((stack) => {
      const members = stack.applications.map(({ name }) => name).join('+');
      return `${stack.parent ?? ''}/${stack.name}(${stack.application ?? ''}):${members}`;
    });
    return [root, ...text];
  };
  const under = (name: string, parent: string) => applicationMaterial(name, [], { parent });

  it('follow parents of any depth', () => {
    const tree = [applicationMaterial('root'), under('data', 'root'), under('dbs', 'data')];
    expect(shape([...tree, under('db', 'dbs'), under('op', 'data'), under('web', 'root')])).toEqual(
      ['root', '/data(data):op', 'data/dbs(dbs):db', '/p():web'],
    );
  });

  it('else ApplicationSets, else projects, else folders, else one', () => {
    const with_ = (name: string, more: Partial<ApplicationMaterial>) =>
      applicationMaterial(name, [], more);
    const bySet = (...sets: string[]) =>
      shape(sets.map((applicationSet, at) => with_('abcd'[at] ?? '', { applicationSet })));
    expect(bySet('x', 'x', 'y', 'y')).toEqual([undefined, '/x():a+b', '/y():c+d']);
    // A set for each Application tells nothing.
    expect(bySet('x', 'y', 'z')).toEqual([undefined, '/p():a+b+c']);
    expect(shape([with_('a', { project: 'x' }), with_('b', { project: 'y' })])).toEqual([
      undefined,
      '/x():a',
      '/y():b',
    ]);
    const at = (path: string) => ({ sources: [{ repoURL: 'https://git.example.com/p', path }] });
    const four = [
      with_('a', at('x/a')),
      with_('b', at('x/b')),
      with_('c', at('y/c')),
      with_('d', at('y/d')),
    ];
    expect(shape(four)).toEqual([undefined, '/x():a+b', '/y():c+d']);
    expect(shape([with_('a', {}), with_('b', {})])).toEqual([undefined, '/p():a+b']);
  });

  it('have classes by what is in them, and durations from the past', () => {
    const database = applicationMaterial('db', [object('postgresql.cnpg.io/v1', 'Cluster', 'c')], {
      pastDurations: [10.2, 400, 30],
    });
    const operator = applicationMaterial('op', [crd, deployment('op')]);
    expect(run([{ ...database, project: 'default' }, operator]).stacks[0]?.applications).toEqual([
      { name: 'db', class: 'database', expectedDuration: 30, fromHistory: true },
      { name: 'op', class: 'operator', fromHistory: false },
    ]);
  });
});
