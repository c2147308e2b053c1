// The health check for nested Applications that Argo CD documents and does not ship: without it an Application of
// Applications is Healthy whatever its children are.

import { waitFor } from '../run.ts';
import type { Scratch } from './scratch.ts';

const KEY = 'resource.customizations.health.argoproj.io_Application';

const DOCUMENTED = `hs = {}
hs.status = "Progressing"
hs.message = ""
if obj.status ~= nil then
  if obj.status.health ~= nil then
    hs.status = obj.status.health.status
    if obj.status.health.message ~= nil then
      hs.message = obj.status.health.message
    end
  end
end
return hs
`;

/** Switches the check on in argocd-cm, off again after the test. Another script can be given in its place. */
export async function nestedHealth(scratch: Scratch, script = DOCUMENTED): Promise<void> {
  const set = async (value: string | null) => {
    const patch = JSON.stringify({ data: { [KEY]: value } });
    const target = ['--namespace=argocd', 'patch', 'configmap', 'argocd-cm', '--type=merge'];
    await scratch.stack.run('kubectl', ...target, '--patch', patch);
  };
  const mark = (await scratch.stack.logs('argocd-application-controller', 1)).trim();
  await set(script);
  scratch.afterwards(() => set(null));
  // The controller notices by itself, and says so.
  await waitFor('the controller to read its settings again', async () => {
    const lines = (await scratch.stack.logs('argocd-application-controller', 2000)).split('\n');
    const since = lines.slice(lines.lastIndexOf(mark) + 1);
    return since.some((line) => /invalidat|settings/i.test(line));
  });
}
