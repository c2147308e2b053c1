# The executor: Node.js, the program and its runtime dependencies; no shell, no package manager, no root.
# The user is a number, so that `runAsNonRoot` can be checked.
ARG NODE=20
FROM node:$NODE-alpine AS build
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
COPY schemas app/schemas
COPY LICENSE app/

FROM scratch
COPY --from=build /image /
ENV PATH=/app/bin:/usr/bin NODE_ENV=production SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt
WORKDIR /app
USER 65532:65532
ENTRYPOINT ["node", "/app/bin/executor"]
