// Settings of the executor -> options of an action, by the names that the action has for them.
import type { GivenOptions } from '../cli/run-cli.ts';
import { type ExecutorSettings, MOUNTS } from './executor-settings.ts';

/** The whole platform is what is meant where no scope is named. */
export function scopeOf(scope = 'platform'): { readonly scope?: readonly string[] } {
  return scope === 'platform' ? {} : { scope: [scope] };
}

export function optionsOf(action: string, settings: ExecutorSettings): GivenOptions {
  const { platformFile, kubeconfig, tokenFile, scope, dryRun, image } = settings;
  const inside = action !== 'validate' && image !== undefined && !dryRun;
  return {
    file: platformFile,
    environment: MOUNTS.environment,
    ...scopeOf(scope),
    ...(kubeconfig && 'file' in kubeconfig ? { kubeconfig: kubeconfig.file } : {}),
    ...(tokenFile === undefined ? {} : { argocdTokenFile: tokenFile }),
    ...(dryRun ? withoutChanges(action) : {}),
    ...(inside ? { engine: 'auto', image } : {}),
    ...(action === 'deploy' ? bootstrapOptions(settings) : {}),
    ...teardownOptions(settings.teardown),
  };
}

const withoutChanges = (action: string): GivenOptions =>
  action === 'validate' ? { refresh: false } : { dryRun: true };

/** What is needed where the cluster has nothing yet. */
function bootstrapOptions({ charts }: ExecutorSettings): GivenOptions {
  return { bootstrap: true, secrets: MOUNTS.secrets, ...(charts === undefined ? {} : { charts }) };
}

function teardownOptions(teardown: ExecutorSettings['teardown']): GivenOptions {
  if (!teardown) return {};
  const { volumes, confirmed } = teardown;
  const approved = confirmed && { confirm: [confirmed.platform], expect: confirmed.inventory };
  return { volumes, ...approved };
}
