// API and worker as the image has them, with the settings of deploy/app.env and the secrets' files.
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { layOutImage } from './lay-out-image.mjs';
import { freePort, run, start, until } from './processes.mjs';

export async function proveApp({ root, home, secrets, proved }, { mongo, temporal }) {
  const app = layOutImage(root, join(home, 'app'));
  const port = await freePort();
  const env = {
    ...settingsOf({ root, home, secrets }, mongo),
    API_PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    TEMPORAL_ADDRESS: temporal.address,
    WORKFLOW_BUNDLE: join(app, 'dist/workflow-bundle.js'),
  };
  const migrate = () => run(process.execPath, [join(app, 'dist/bin/itembridge.js'), 'migrate'], { env });
  migrate();
  migrate();
  proved('migrate: the service user may make collections and indexes; a second run changes nothing');
  const worker = start(process.execPath, ['--enable-source-maps', join(app, 'dist/bin/worker.js')], {
    // As in Compose, it gets no secret that only the API needs: a path that leads nowhere would fail its start.
    env: { ...env, JWT_KEYS_FILE: '/nowhere', STRIPE_WEBHOOK_SECRET_FILE: '/nowhere' },
    log: join(home, 'worker.log'),
  });
  const api = start(process.execPath, ['--enable-source-maps', join(app, 'dist/bin/api.js')], {
    env,
    log: join(home, 'api.log'),
  });

  const check = (name, child) =>
    until(() => run(process.execPath, [join(app, 'deploy', name)], { env }), {
      what: `${name} on ${hostname()}`,
      child,
    });
  await check('api-healthcheck.mjs', api);
  proved('API: the built files start with secrets from files and answer the health check');
  await check('worker-healthcheck.mjs', worker);
  proved('worker: the built files start with the bundled workflows and poll');
  const answer = await fetch(`http://127.0.0.1:${port}/integration/v1/items/A1`);
  if (answer.status !== 401) throw new Error(`a read without a key was answered with ${answer.status}`);
  proved('API: a read without a key is answered with 401');
}

export const settingsOf = ({ root, home, secrets }, mongo) => ({
  ...readEnvFile(join(root, 'deploy/app.env'), secrets),
  API_HOST: '127.0.0.1',
  // In containers each process has a network of its own.
  METRICS_PORT: '0',
  MONGODB_URI_FILE: mongo.uriFile,
  // Made at the start.
  WORKFLOW_BUNDLE: '-',
  IMAGE_STORE_DIR: join(home, 'images'),
  MARKETPLACE_URL: 'https://marketplace.invalid',
  MARKETPLACE_APP_ID: '1',
});

/** The secrets lie elsewhere than in a container; all other settings are taken as they are. */
function readEnvFile(path, secrets) {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => /^[A-Z_]+=/.test(line));
  return Object.fromEntries(
    lines.map((line) => {
      const [name, ...value] = line.split('=');
      return [name, value.join('=').replace('/run/secrets', secrets)];
    }),
  );
}
