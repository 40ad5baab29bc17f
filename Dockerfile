# syntax=docker/dockerfile:1
# The server as an image: docs/guides/deploy.md, "In a container". `npm run deploy:image` carries out these steps without Docker.
#   docker build -t parley .
#   docker buildx build --platform linux/amd64,linux/arm64 -t registry.example.com/parley .
#   docker build --build-arg EXTRAS="s3 traces" -t parley .
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

# The program is JavaScript, the same on every architecture, so it is built on the architecture of the builder.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# No native code runs during the build.
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build
RUN find dist -name '*.map' -delete && chmod 755 dist/main.js

# The packages contain native code, so they are installed on the architecture of the image.
FROM ${NODE_IMAGE} AS packages
# sqlite3 is compiled where no prebuilt binary can be downloaded.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends g++ make python3 \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json .npmrc deploy/image/select-packages.mjs ./
# Any of: s3, traces, recognition.
ARG EXTRAS=""
RUN node select-packages.mjs ${EXTRAS}
# The headers that node-gyp would download are part of the base image.
RUN npm_config_nodedir=/usr/local npm ci --omit=dev --no-audit
# What compiling left behind, and what only compilers read.
RUN rm -rf node_modules/sqlite3/deps node_modules/sqlite3/src node_modules/sqlite3/build/Release/obj* node_modules/sqlite3/build/Release/*.a \
  && find node_modules \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete

FROM ${NODE_IMAGE}
ARG VERSION=0.1.0
ARG REVISION=""
LABEL org.opencontainers.image.title="Parley" \
  org.opencontainers.image.description="A self-hosted runtime for AI agents" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}"
# Beyond loopback the server requires an API_KEY, so a container without one ends with the reason.
ENV NODE_ENV=production \
  SERVER_HOST=0.0.0.0 \
  SERVER_PORT=3000 \
  DATA_DIR=/data
WORKDIR /app
# /media is for files that several servers share.
RUN mkdir -p /data /media && chown 1000:1000 /data /media && ln -s /app/dist/main.js /usr/local/bin/parley
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/package.json /app/LICENSE /app/README.md ./
COPY --from=build /app/docs/guides ./docs/guides
COPY --from=build /app/docs/reference ./docs/reference
COPY --from=build /app/docs/architecture.md /app/docs/scale.md ./docs/
COPY --from=build /app/characters ./characters
COPY --from=build /app/dist ./dist
# By number, because Kubernetes compares only numbers with runAsNonRoot.
USER 1000:1000
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=120s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.SERVER_PORT || 3000) + '/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/main.js"]
