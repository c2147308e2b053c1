// tiphys health: the checks that gates rest on.
import type { CommandSpec } from '../command.ts';
import { healthCoverageCommand } from '../health/health-coverage.ts';
import { healthRenderCommand } from '../health/health-render.ts';
import { healthTestCommand } from '../health/health-test.ts';

export const healthCommand: CommandSpec = {
  name: 'health',
  description:
    'Health checks of custom resources: test them, render them for Argo CD, find the kinds that have none.',
  examples: [
    ['tiphys health test', 'the checks that come with Tiphys, against their cases'],
    ['tiphys health render --diff', 'what argocd-cm lacks'],
    ['tiphys health coverage', 'which kinds of the platform have a health'],
  ],
  commands: [healthTestCommand, healthRenderCommand, healthCoverageCommand],
};
