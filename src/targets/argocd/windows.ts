// The sync windows that apply to an Application, and which of them are active now.
import { z } from 'zod';
import type { SyncWindow } from '../../ports/argocd-applications.ts';
import { fields, list } from '../application/schema.ts';

const { text, flag } = fields;
const window = z.object({
  kind: z.enum(['allow', 'deny']),
  schedule: text,
  duration: text,
  manualSync: flag,
});

export const syncWindowsAnswer = z.object({
  assignedWindows: list(window),
  activeWindows: list(window),
});

export function syncWindows(given: unknown): readonly SyncWindow[] {
  const { assignedWindows, activeWindows } = syncWindowsAnswer.parse(given);
  // Windows have no names: two that are alike in everything are active together.
  const active = new Set(activeWindows.map((one) => JSON.stringify(one)));
  return assignedWindows.map((one) => ({ ...one, active: active.has(JSON.stringify(one)) }));
}
