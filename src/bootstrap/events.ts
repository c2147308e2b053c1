// The progress of Ansible (bootstrap/plugins/callback/tiphys_progress.py): one JSON object per line.
import { z } from 'zod';
import { PHASES, ROLES } from './roles.ts';

const role = z.enum(ROLES);
const phase = z.enum(PHASES);
const text = z.union([z.string(), z.number()]).nullable();

const told = z.discriminatedUnion('type', [
  z.object({ type: z.literal('role.started'), role }),
  z.object({ type: z.literal('phase.started'), role, phase }),
  z.object({
    type: z.literal('task.finished'),
    role,
    phase,
    task: z.string(),
    status: z.enum(['ok', 'changed', 'failed', 'skipped', 'retrying']),
    message: z.string().optional(),
    details: z.string().optional(),
    object: z.string().nullish(),
  }),
  z.object({
    type: z.literal('role.finished'),
    role,
    status: z.enum(['success', 'failed', 'rolled_back']),
    version: text,
    chart: text,
    revision: text,
  }),
  z.object({ type: z.literal('bootstrap.finished'), changed: z.number() }),
]);

export type Told = z.output<typeof told>;
export type BootstrapEvent = { readonly time: string } & Told;

/** Undefined for any other line, for example a warning of Ansible. */
export function parseTold(line: string): Told | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return told.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
