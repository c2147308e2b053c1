// The health check for nested Applications that Argo CD documents and does not ship: without it an Application of
// Applications is Healthy whatever its children are.

import { DOCUMENTED_CHECK, NESTED_CHECK } from '../../conformance/nested-check.ts';
import { waitFor } from '../run.ts';
import type { Scratch } from './scratch.ts';

/** Of a kind that does not exist: a change of settings that changes nothing. */
const REMINDER = 'resource.customizations.health.tiphys.dev_Reminder';
const REMIND_MS = 5_000;

/** Switches the check on in argocd-cm, off again after the test. Another script can be given in its place. */
export function nestedHealth(scratch: Scratch, script = DOCUMENTED_CHECK): Promise<void> {
  return argocdSettings(scratch, { [NESTED_CHECK]: script });
}

/** Sets keys of argocd-cm until the test ends, and waits until the controller has read them. */
export async function argocdSettings(
  scratch: Scratch,
  keys: Readonly<Record<string, string | null>>,
): Promise<void> {
  const set = async (data: typeof keys) => {
    const patch = JSON.stringify({ data });
    const target = ['--namespace=argocd', 'patch', 'configmap', 'argocd-cm', '--type=merge'];
    await scratch.stack.run('kubectl', ...target, '--patch', patch);
  };
  const mark = (await scratch.stack.logs('argocd-application-controller', 1)).trim();
  await set(keys);
  const all = [...Object.keys(keys), REMINDER];
  scratch.afterwards(() => set(Object.fromEntries(all.map((key) => [key, null]))));
  // The controller notices by itself, and says so; of two changes soon after each other it can miss the second.
  let reminders = 1;
  const begin = Date.now();
  await waitFor('the controller to read its settings again', async () => {
    if (Date.now() - begin > reminders * REMIND_MS) {
      await set({ [REMINDER]: `return {} -- ${reminders++}` });
    }
    const lines = (await scratch.stack.logs('argocd-application-controller', 2000)).split('\n');
    const since = lines.slice(lines.lastIndexOf(mark) + 1);
    return since.some((line) => /invalidat|settings/i.test(line));
  });
}
