// What is asked and found before the first write.
import { expect, test } from 'vitest';
import { app, planFrom, World } from '../../test/fakes/world.ts';

test('rights are asked for by the name that Argo CD has for its own namespace, whatever that is called', async () => {
  const world = new World({ a: {} });
  world.argocd.change('a', { namespace: 'gitops' });
  const asked: string[] = [];
  world.part.namespace = 'gitops';
  world.part.may = async (...right) => {
    asked.push(right.join(' '));
    return true;
  };
  const stacks = [{ name: 's', applications: [app('a')] }];
  await world.run(planFrom({ argocd: { namespace: 'gitops' }, stacks }));
  expect(asked).toContain('applications sync default/a');
});
