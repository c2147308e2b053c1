// tiphys health: the checks that gates rest on.
import type { Command } from 'commander';
import type { Context } from '../command.ts';
import { createCommand } from '../command.ts';
import { healthCoverageCommand } from '../health/health-coverage.ts';
import { healthRenderCommand } from '../health/health-render.ts';
import { healthTestCommand } from '../health/health-test.ts';

export function healthCommand(context: Context): Command {
  const command = createCommand({
    name: 'health',
    description:
      'Health checks of custom resources: test them, render them for Argo CD, find the kinds that have none.',
    examples: [
      ['tiphys health test', 'the checks that come with Tiphys, against their cases'],
      ['tiphys health render --diff', 'what argocd-cm lacks'],
      ['tiphys health coverage', 'which kinds of the platform have a health'],
    ],
  });
  const inside = [
    healthTestCommand(context),
    healthRenderCommand(context),
    healthCoverageCommand(context),
  ];
  for (const one of inside) command.addCommand(one);
  return command;
}
