import { expect, test } from 'vitest';
import { application } from '../../../test/fakes/application.ts';
import { stackOf } from '../../../test/fakes/run-world.ts';
import type { Watch } from '../../ports/application-watch.ts';
import { foundBy } from './hold-found.ts';

test('what the watch has seen of the plan, and which of it leaves windows alone', () => {
  const seen = [
    application({ name: 'parent', leavesWindows: true }),
    application({ name: 'a', leavesWindows: false }),
  ];
  const last: Watch['last'] = ({ name }) => seen.find((one) => one.name === name);
  const plan = stackOf('parent', [{ name: 'a' }, { name: 'unseen' }]);
  const { found, leavesWindows } = foundBy({ last } as Watch, plan, plan);
  expect(found).toEqual(
    new Map([
      ['argocd/parent', seen[0]],
      ['argocd/a', seen[1]],
    ]),
  );
  expect(['parent', 'a', 'unseen', ''].map(leavesWindows)).toEqual([true, false, false, false]);
});

test('one that is not held can leave windows alone, too', () => {
  const seen = application({ name: 'parent', leavesWindows: true });
  const last: Watch['last'] = ({ name }) => (name === 'parent' ? seen : undefined);
  const whole = stackOf('parent', [{ name: 'a' }]);
  const held = { ...whole, nodes: whole.nodes.filter(({ application: name }) => name === 'a') };
  const { found, leavesWindows } = foundBy({ last } as Watch, held, whole);
  expect([found.size, leavesWindows('parent')]).toEqual([0, true]);
});
