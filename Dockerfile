# Two images. The user of both is a number, so that `runAsNonRoot` can be checked; both work with a read-only root file system.
#
# `executor`, the default: Node.js, the program and its runtime dependencies; no shell, no package manager, no root.
# `bootstrap`: the same, and what it takes on an empty cluster: Ansible, the tools that phase 0 asks for, and the charts, so that
#   nothing has to be fetched but images. Ansible starts its modules by a shell, and Python alone is larger than the executor;
#   of all pods of all runs only the first one of a cluster needs them. So they are in an image of their own.
#
# A tag can be moved, a digest cannot: releases are built with --build-arg NODE_IMAGE=node@sha256:... and the like.
ARG NODE_IMAGE=node:24-alpine3.22
ARG ALPINE_IMAGE=alpine:3.22
ARG GO_IMAGE=golang:1.26-alpine

FROM $NODE_IMAGE AS build
WORKDIR /build
COPY package.json package-lock.json tsconfig.json tsconfig.build.json ./
COPY src src
RUN npm ci && npm prune --omit=dev --ignore-scripts \
 && rm -rf node_modules/@types \
 && find node_modules -type f \( -name '*.map' -o -name '*.md' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' \) -delete

WORKDIR /image
RUN apk add --no-cache ca-certificates-bundle \
 && mkdir -p app/bin etc/ssl/certs lib usr/bin usr/lib tmp config secrets && chmod 1777 tmp \
 && cp /usr/local/bin/node usr/bin/node \
 && cp /lib/ld-musl-*.so.1 lib/ \
 && cp /usr/lib/libstdc++.so.6 /usr/lib/libgcc_s.so.1 usr/lib/ \
 && cp /etc/ssl/certs/ca-certificates.crt etc/ssl/certs/ \
 && mv /build/package.json /build/dist /build/node_modules app/ \
 && ln -s ../dist/main.js app/bin/executor
COPY examples app/examples
COPY health app/health
COPY lua/engine.wasm.br lua/LICENSES.txt app/lua/
COPY schemas app/schemas
COPY LICENSE app/

# The tools in the versions that the project's own test stack runs, from the same pins. They are built on the machine that
# builds, for the platform that the image is for.
FROM --platform=$BUILDPLATFORM $GO_IMAGE AS tools
ARG TARGETOS
ARG TARGETARCH
ENV CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH
COPY test/stack/modules /modules
RUN set -e; version() { go list -m -f '{{.Version}}' "$1"; }; \
    build() { cd "/modules/$1"; go mod download "$2"; go build -trimpath -ldflags "-s -w -X $4=$(version "$2")" -o "/tools/${3##*/}" "$2$3"; }; \
    build helm helm.sh/helm/v3 /cmd/helm helm.sh/helm/v3/internal/version.version; \
    build kubernetes k8s.io/kubernetes /cmd/kubectl k8s.io/component-base/version.gitVersion; \
    build kubeseal github.com/bitnami/sealed-secrets /cmd/kubeseal main.VERSION; \
    cd /modules/yq; go build -trimpath -ldflags '-s -w' -o /tools/yq github.com/mikefarah/yq/v4

# The package `ansible` is ansible-core with a hundred collections, which its hash covers: the four that are used are kept.
FROM $ALPINE_IMAGE AS ansible
RUN apk add --no-cache ca-certificates-bundle py3-pip python3
COPY bootstrap/requirements.txt bootstrap/requirements.yml /bootstrap/
RUN set -e; python3 -m venv /ansible; \
    /ansible/bin/pip install --no-cache-dir --require-hashes -r /bootstrap/requirements.txt; \
    cd /ansible/lib/python3*/site-packages/ansible_collections; kept=/usr/share/ansible/collections/ansible_collections; \
    sed -n 's/.*{name: \([a-z]*\)\.\([a-z]*\), version: \(.*\)}/\1 \2 \3/p' /bootstrap/requirements.yml > /collections; \
    while read -r namespace name version; do \
      grep -q "\"version\": \"$version\"" "$namespace/$name/MANIFEST.json"; \
      mkdir -p "$kept/$namespace"; cp -r "$namespace/$name" "$kept/$namespace/"; \
    done < /collections; \
    cd /; /ansible/bin/pip uninstall -y ansible; \
    /ansible/bin/python -m compileall -q "$kept"; \
    /ansible/bin/pip uninstall -y pip
COPY --from=tools /tools /usr/local/bin
COPY bootstrap/inventory/group_vars/all.yml /bootstrap/
RUN set -eo pipefail; mkdir /charts; \
    yq '.tiphys_releases[] | .chart + " " + .version + " " + .repository' /bootstrap/all.yml \
  | while read -r chart version repository; do \
      helm pull "$chart" --version "$version" --repo "$repository" --destination /charts || exit 1; \
    done

FROM $ALPINE_IMAGE AS bootstrap
RUN apk add --no-cache ca-certificates-bundle jq libstdc++ python3 && mkdir /config /secrets
COPY --from=tools /tools /usr/local/bin
COPY --from=ansible /ansible /ansible
COPY --from=ansible /usr/share/ansible /usr/share/ansible
COPY --from=build /image/usr/bin/node /usr/bin/node
COPY --from=build /image/app /app
COPY --from=ansible /charts /app/charts
COPY bootstrap /app/bootstrap
COPY workflows /app/workflows
# What Ansible and Helm write while they work goes to /tmp, as what the program writes: the only place that must be writable.
ENV PATH=/app/bin:/ansible/bin:/usr/local/bin:/usr/bin:/bin HOME=/tmp NODE_ENV=production SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt
WORKDIR /app
USER 65532:65532
ENTRYPOINT ["node", "/app/bin/executor"]

FROM scratch AS executor
COPY --from=build /image /
ENV PATH=/app/bin:/usr/bin NODE_ENV=production SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt
WORKDIR /app
USER 65532:65532
ENTRYPOINT ["node", "/app/bin/executor"]
