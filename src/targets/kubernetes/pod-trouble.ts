// What keeps a pod from getting on, as the kubelet or the scheduler says it.
import { z } from 'zod';
import { withoutPasswords } from '../../errors.ts';
import { list, optional } from '../application/schema.ts';

const containers = list(
  z.object({
    state: optional(
      z.object({
        waiting: optional(
          z.object({ reason: optional(z.string()), message: optional(z.string()) }),
        ),
      }),
    ),
  }),
);

export const pod = z.object({
  status: optional(
    z.object({
      phase: optional(z.string()),
      conditions: list(
        z.object({
          ...{ type: z.string(), status: z.string() },
          ...{ reason: optional(z.string()), message: optional(z.string()) },
        }),
      ),
      initContainerStatuses: containers,
      containerStatuses: containers,
    }),
  ),
});

/** Every pod goes through these: what else one of its containers says counts more. */
const STARTS: readonly (string | undefined)[] = ['ContainerCreating', 'PodInitializing'];

/** Empty where nothing does. */
export function podTrouble({ status }: z.output<typeof pod>): string {
  const all = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  const waiting = all.flatMap(({ state }) => state?.waiting ?? []);
  const found = waiting.find(({ reason }) => !STARTS.includes(reason)) ?? waiting[0];
  const shut = status?.conditions.find(
    (one) => one.type === 'PodScheduled' && one.status === 'False',
  );
  const { reason, message } = found ?? shut ?? {};
  return withoutPasswords([reason, message].filter(Boolean).join(': ').replace(/\s+/g, ' '));
}
