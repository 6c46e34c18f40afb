# One image for the API, the worker and the set-up job: the same code, another command.
FROM node:26-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build

FROM node:26-bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends tini && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production
WORKDIR /app
# A volume that is mounted here for the first time takes over this owner.
RUN install -d -o node -g node /var/lib/itembridge/images
COPY package.json LICENSE ./
COPY web/public-page ./web/public-page
COPY --from=build /app/build/production/node_modules ./node_modules
COPY --from=build /app/build/production/sbom.cdx.json ./
COPY --from=build /app/dist ./dist
COPY --from=build /app/web/dashboard/dist ./web/dashboard/dist
COPY --from=build /app/web/docs/dist ./web/docs/dist
COPY deploy/api-healthcheck.mjs deploy/worker-healthcheck.mjs ./deploy/
COPY deploy/mongo/init-replica-set.mjs ./deploy/mongo/
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["node", "deploy/api-healthcheck.mjs"]
# Passes signals on and reaps orphans; -s: also below another init process, such as that of Compose.
ENTRYPOINT ["tini", "-s", "--"]
CMD ["node", "--enable-source-maps", "dist/bin/api.js"]
