// What `executor --help` prints: the contract on one page. docs/executor.md says the same at length.
export const HELP = `Usage: executor <action> [options]

Deploys, validates or tears down a platform of Argo CD Applications, configured by environment variables and mounts.
It keeps no state between calls. Options are those of the tiphys command of the same name.

Actions:
  deploy      deploy the platform; rerun it to resume. An empty cluster is bootstrapped first,
              if the image has Ansible
  validate    check every application now; changes nothing
  teardown    delete the platform, exactly as in the approved inventory

Environment:
  KUBECONFIG_DATA   the kubeconfig, base64; or
  KUBECONFIG_PATH   its file. Neither is needed in a pod of the cluster
  ENVIRONMENT       development, staging or production; required
  TARGET_SCOPE      platform (default), stack:NAME or app:NAME
  DRY_RUN           true: show what would be done; change nothing (default false)
  LOG_LEVEL         debug, info (default), warn or error
  LOG_FORMAT        json (default) or text
  TRACE_ID          the caller's trace, 32 hexadecimal digits
  SPAN_ID           the caller's span, 16 hexadecimal digits
  ARGOCD_TOKEN_FILE file with the Argo CD token (default /secrets/argocd-token, else the cluster's Secret)
  EXECUTOR_IMAGE    this image, if the cluster can pull it: run as a Workflow if Argo Workflows is installed
  PV_POLICY         teardown: retain, delete or snapshot PersistentVolumeClaims; required for teardown
  CONFIRMATION_TOKEN  teardown: PLATFORM@sha256:..., the approved inventory; required for teardown
  TRIGGER           what called it, for the record: cli (default), workflow or event:NAME
  METRICS_FILE      file for Prometheus metrics, written at the end

Mounts:
  /config/environment.yaml   required
  /config/dag.yaml           the platform file (default: the reference platform)
  /config/charts             charts for an empty cluster (default: those in the image, else download)
  /secrets/argocd-token      the Argo CD token
  /secrets/git-token         for an empty cluster: credential of a private Git repository

Output: logs to stderr, one report as JSON to stdout.

Exit statuses:
  0  success; validate: healthy; teardown: clean
  1  failure; validate: unhealthy
  2  partial; validate: degraded; teardown: objects remain; interrupted
  3  a variable, file, argument or permission is invalid or missing; nothing was changed
  4  the run timed out
`;
