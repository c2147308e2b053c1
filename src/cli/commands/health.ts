// tiphys health: health checks, which gates depend on.
import type { CommandSpec } from '../command.ts';
import { healthCoverageCommand } from '../health/health-coverage.ts';
import { healthRenderCommand } from '../health/health-render.ts';
import { healthTestCommand } from '../health/health-test.ts';

export const healthCommand: CommandSpec = {
  name: 'health',
  description:
    'Manage health checks of custom resources: test them, render them for Argo CD, find kinds without one.',
  examples: [
    ['tiphys health test', 'test the built-in checks'],
    ['tiphys health render --diff', 'show which entries argocd-cm lacks'],
    ['tiphys health coverage', 'show which kinds of the platform have a health check'],
  ],
  commands: [healthTestCommand, healthRenderCommand, healthCoverageCommand],
};
