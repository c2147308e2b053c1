// What `tiphys init` writes.

export const platformTemplate = (name: string): string => `\
# yaml-language-server: $schema=./platform.schema.json
# (\`tiphys schema > platform.schema.json\` creates that file; the editor then completes and validates this one.)
apiVersion: tiphys.dev/v1alpha1
kind: Platform
metadata: {name: ${name}}
spec:
  # Namespace and project of the Applications in Argo CD, unless an application overrides them.
  argocd: {namespace: argocd, project: default}

  # The app-of-apps that creates the stacks' Applications, if there is one:
  # root: platform-root

  # Defaults. An application, its class and its stack override them, in this order. They override environment.yaml.
  timeouts: {sync: 5m, health: 5m, run: 2h}
  retries: {maxAttempts: 3, backoff: 10s}
  gate: {dwell: 10s, degradedGrace: 60s}
  concurrency: 20

  # Named settings. Built in: simple, operator, database, ceph, vault.
  classes:
    operator: {expectedDuration: 2m}

  stacks:
    - name: foundation
      # The stack's own Application (app-of-apps), if it has one:
      # application: foundation-stack
      applications:
        - {name: cert-manager, class: operator}
        - {name: ingress-nginx}

    - name: data
      # Starts when every application in that stack is healthy.
      dependsOn: [stack:foundation]
      applications:
        - {name: postgres-operator, class: operator}
        - {name: postgres, class: database, dependsOn: [postgres-operator]}

    - name: services
      applications:
        # A bare name is an application of any stack.
        - {name: api, dependsOn: [postgres]}
        - {name: web, dependsOn: [api, ingress-nginx]}
`;

export const environmentTemplate = (
  repository = 'https://git.example.com/platform.git',
): string => `\
# yaml-language-server: $schema=./environment.schema.json
# (\`tiphys schema environment > environment.schema.json\` creates that file.)
name: production
domain: platform.example.com
# The repository and revision of the root Application.
gitRepository: ${repository}
gitRevision: main
# argocdNamespace: argocd
# Used unless platform.yaml sets them:
# timeouts: {sync: 5m, health: 5m}
# retries: {maxAttempts: 3, backoff: 10s}
`;
