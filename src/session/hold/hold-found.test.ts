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
  const { found, leavesWindows } = foundBy({ last } as Watch, plan);
  expect(found).toEqual(
    new Map([
      ['argocd/parent', seen[0]],
      ['argocd/a', seen[1]],
    ]),
  );
  expect(['parent', 'a', 'unseen', ''].map(leavesWindows)).toEqual([true, false, false, false]);
});
