// Defaults from variables and a config file belong to the command line: a container has its own contract.
import { expect, test } from 'vitest';
import { execute } from './executor/executor.ts';

test('the executor reads none of them', async () => {
  const environment = { ENVIRONMENT: 'production', KUBECONFIG_PATH: '/nowhere' };
  const mounts = { '/config/environment.yaml': { file: 'examples/reference/environment.yaml' } };
  const without = await execute(['validate'], { environment, mounts });
  const variables = {
    ...{ TIPHYS_CONFIG: '/no/file', TIPHYS_ENGINE: 'fast', TIPHYS_CONTEXT: 'other' },
    ...{ TIPHYS_FILE: '/no/file', TIPHYS_ARGOCD_SERVER: 'https://argocd.example.com' },
  };
  const given = await execute(['validate'], {
    environment: { ...environment, ...variables },
    mounts,
  });
  expect(given.report.failures).toEqual(without.report.failures);
  expect(given.report.failures).toMatchObject([{ type: 'kubeconfig-invalid' }]);
  const option = await execute(['validate', '--config', '/no/file'], { environment, mounts });
  expect(JSON.stringify(option.report.failures)).toContain("nknown option '--config'");
});
