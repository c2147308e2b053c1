// What `executor --help` prints: the contract on one page. docs/executor.md says the same at length.
export const HELP = `Usage: executor <action> [options]

Deploys, validates or takes down a platform of Argo CD Applications, configured by environment variables and mounts.
It keeps nothing between two calls. Options are those of the tiphys command of the same name.

Actions:
  deploy      bring the platform up; run again, it goes on where it stopped. An empty cluster is bootstrapped first,
              where the image has Ansible
  validate    judge every gate as it is now; changes nothing
  teardown    take it down, exactly as an inventory of the cluster was approved

Environment:
  KUBECONFIG_DATA   the kubeconfig, base64; or
  KUBECONFIG_PATH   its file. Neither is needed in a pod of the cluster
  ENVIRONMENT       development, staging or production; required
  TARGET_SCOPE      platform (default), stack:NAME or app:NAME
  DRY_RUN           true: say what would be done; nothing is written (default false)
  LOG_LEVEL         debug, info (default), warn or error
  LOG_FORMAT        json (default) or text
  TRACE_ID          the caller's trace, 32 hexadecimal digits
  SPAN_ID           the caller's span, 16 hexadecimal digits
  ARGOCD_TOKEN_FILE file with the Argo CD token (default /secrets/argocd-token, else the cluster's Secret)
  EXECUTOR_IMAGE    this image, where the cluster can pull it: it runs as a Workflow where that can be
  PV_POLICY         teardown: retain, delete or snapshot claims of volumes; required there
  CONFIRMATION_TOKEN  teardown: PLATFORM@sha256:..., what was approved; required there
  TRIGGER           what called it, for the record: cli (default), workflow or event:NAME
  METRICS_FILE      metrics for Prometheus are written there at the end

Mounts:
  /config/environment.yaml   required
  /config/dag.yaml           the platform file (default: the reference platform)
  /config/charts             charts for an empty cluster (default: those of the image, else they are fetched)
  /secrets/argocd-token      the Argo CD token
  /secrets/git-token         for an empty cluster: what a private Git repository takes

Output: logs to stderr, one report as JSON to stdout.

Exit statuses:
  0  success; validate: healthy; teardown: clean
  1  failure; validate: unhealthy
  2  partial; validate: degraded; teardown: something is left; interrupted
  3  a variable, a file, an argument or a right is wrong or missing; nothing was done
  4  time was up
`;
