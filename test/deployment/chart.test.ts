import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { loadConfig, loadWorkerConfig } from '../../compose/config.ts';
import type { Environment } from '../../compose/read-settings.ts';
import { roundNames } from '../../compose/worker.ts';
import { queueKinds } from '../../workflows/contracts/workflows.ts';

// What the chart says twice, or takes from elsewhere. `npm run verify -- chart` renders it and has Kubernetes take it.

const chart = 'deploy/helm/itembridge';
const read = (file: string): string => readFileSync(file, 'utf8');
const templates = read(join(chart, 'templates/_settings.tpl'));
const schema = JSON.parse(read(join(chart, 'values.schema.json'))) as {
  readonly definitions: {
    readonly worker: { readonly properties: Readonly<Record<'queues' | 'loops', { readonly items: Names }>> };
  };
  readonly properties: { readonly settings: { readonly properties: object } };
};
interface Names {
  readonly enum: readonly string[];
}

const taken = Object.keys(schema.properties.settings.properties);
const appEnv = [...read('deploy/app.env').matchAll(/^([A-Z]\w*)=/gm)].map(([, name = '']) => name);

/** Read by others than our configuration: Temporal's, its set-up, Node. */
const readElsewhere = /^(TEMPORAL_(TLS\w*|API_KEY_FILE|RETENTION)|NODE_EXTRA_CA_CERTS)$/;
/** Made by the chart from numbers of pods and kinds of workers. */
const madeByChart = ['API_PROCESSES', 'WORKER_PROCESSES', 'WORKER_QUEUES', 'WORKER_LOOPS'];
/** For tests and refused in production; of Temporal, what comes as a file; versions of workers want two builds at once. */
const neverThere =
  /^(ALLOW_PRIVATE_NETWORKS|RATE_LIMITS|STRIPE_URL|TEMPORAL_API_KEY|TEMPORAL_TLS_\w+_DATA|WORKER_(DEPLOYMENT_NAME|BUILD_ID))$/;

test('the settings that the chart takes are those that API and worker read, and no secrets', (t) => {
  const known = namesRead();
  t.true(known.length > 80);
  for (const name of taken) t.true(known.includes(name) || readElsewhere.test(name), `${name} is read`);
  for (const name of known.filter((one) => !taken.includes(one))) {
    const isFile = appEnv.includes(`${name}_FILE`);
    t.true(isFile || [...appEnv, ...madeByChart].includes(name) || neverThere.test(name), `${name} can be set`);
  }
  t.deepEqual(
    taken.filter((name) => appEnv.includes(`${name}_FILE`) || neverThere.test(name)),
    [],
  );
});

/** Every name that is asked for where all parts are configured. */
function namesRead(): readonly string[] {
  const names = new Set<string>();
  const values: Environment = {
    NODE_ENV: 'production',
    IMAGE_STORE: 's3',
    MARKETPLACE_URL: 'https://one.example.com',
    SANDBOX_MARKETPLACE_URL: 'https://other.example.com',
    AI_URL: 'https://models.example.com',
    VEHICLE_REGISTRY: 'tic',
    STRIPE_SECRET_KEY: 'key',
    SMTP_URL: 'smtp://mail.example.com',
    SMTP_USER: 'one',
    PUBLIC_URL: 'https://items.example.com',
  };
  const environment = new Proxy(values, {
    get: (target, name: string) => {
      if (!name.endsWith('_FILE')) names.add(name);
      return target[name];
    },
  });
  // It says what is missing when all has been read.
  for (const load of [loadConfig, loadWorkerConfig])
    try {
      load(environment);
    } catch {
      continue;
    }
  return [...names];
}

test('the chart knows every queue and every loop', (t) => {
  const listOf = (name: string): readonly string[] =>
    new RegExp(`define "itembridge.${name}" -}}\n(.*)\n`).exec(templates)?.[1]?.split(' ') ?? [];
  t.deepEqual(listOf('queues'), [...queueKinds]);
  t.deepEqual(listOf('loops'), [...roundNames]);
  const { queues, loops } = schema.definitions.worker.properties;
  t.deepEqual(queues.items.enum, [...queueKinds]);
  t.deepEqual(loops.items.enum, [...roundNames]);
});

test('settings, alerts and the set-up of Temporal are those of the whole deployment, not copies', (t) => {
  for (const [copy, original] of [
    ['app.env', 'deploy/app.env'],
    ['alerts.yml', 'deploy/monitoring/alerts.yml'],
    ['register.sh', 'deploy/temporal/register.sh'],
  ] as const)
    t.is(read(join(chart, 'files', copy)), read(original), `${copy} is a link to ${original}`);
});

test('the chart has the version of the product', (t) => {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  const about = read(join(chart, 'Chart.yaml'));
  t.deepEqual(
    [...about.matchAll(/^(?:version|appVersion): (.*)$/gm)].map(([, said]) => said),
    [version, version],
  );
});
