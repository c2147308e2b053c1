// What `tiphys init` writes.

export const platformTemplate = (name: string): string => `\
# yaml-language-server: $schema=./platform.schema.json
# (\`tiphys schema > platform.schema.json\` makes that file, and the editor completes and checks this one.)
apiVersion: tiphys.dev/v1alpha1
kind: Platform
metadata: {name: ${name}}
spec:
  # Where the Applications are in Argo CD, unless one says otherwise.
  argocd: {namespace: argocd, project: default}

  # The app-of-apps that creates the stacks' Applications, if there is one:
  # root: platform-root

  # Defaults; an application, its class and its stack can say otherwise, in this order. What stands here wins over
  # environment.yaml.
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
      # Waits until everything in the stack is Healthy.
      dependsOn: [stack:foundation]
      applications:
        - {name: postgres-operator, class: operator}
        - {name: postgres, class: database, dependsOn: [postgres-operator]}

    - name: services
      applications:
        # A bare name is an application, of whatever stack.
        - {name: api, dependsOn: [postgres]}
        - {name: web, dependsOn: [api, ingress-nginx]}
`;

export const environmentTemplate = (
  repository = 'https://git.example.com/platform.git',
): string => `\
# yaml-language-server: $schema=./environment.schema.json
# (\`tiphys schema environment > environment.schema.json\` makes that file.)
name: production
domain: platform.example.com
# Where the root Application looks.
gitRepository: ${repository}
gitRevision: main
# argocdNamespace: argocd
# Of weight only where platform.yaml does not say it:
# timeouts: {sync: 5m, health: 5m}
# retries: {maxAttempts: 3, backoff: 10s}
`;
