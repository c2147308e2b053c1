// kubectl, the real one, against the simulated cluster.
import { describe, expect } from 'vitest';
import { SHOP, serve } from '../../commands/built-command.ts';
import { test } from '../kit/test.ts';

describe('kubectl against `tiphys rehearse serve`', () => {
  test('lists, shows, changes and removes', async ({ stack }) => {
    const { address, end } = await serve(...SHOP, '--speed', '10x');
    const kubectl = (...args: string[]) => stack.run('kubectl', `--server=${address}`, ...args);
    try {
      const table = await kubectl('get', 'applications', '-n', 'argocd');
      expect(table).toMatch(/^NAME +SYNC STATUS +HEALTH STATUS *\nshop-root /);
      const project = ['get', 'appproject', 'shop', '-n', 'argocd', '-o'];
      expect(await kubectl(...project, 'jsonpath={.metadata.annotations}')).toContain('shop/');
      const root = ['application', 'shop-root', '-n', 'argocd'];
      await kubectl('annotate', ...root, 'mine=yes');
      const mark = ['get', ...root, '-o', 'jsonpath={.metadata.annotations.mine}'];
      expect(await kubectl(...mark)).toBe('yes');
      await kubectl('delete', 'secret', 'tiphys-argocd-token', '-n', 'argocd');
      const gone = ['get', 'secret', 'tiphys-argocd-token', '-n', 'argocd'];
      await expect(kubectl(...gone)).rejects.toThrow('not found');
    } finally {
      expect(await end()).toBe(0);
    }
  });
});
