// The Temporal server asks for certificates or keys: what worker, tool and set-up say in each case. Then two nodes, one of which is killed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { register as useTypeScript } from 'tsx/esm/api';
import { settingsOf } from './prove-app.mjs';
import { proveMongo } from './prove-mongo.mjs';
import { proveTwoNodes } from './prove-two-nodes.mjs';
import { register, startDatabase, startServer } from './prove-temporal.mjs';
import { measurePartitions } from './measure-partitions.mjs';
import { run, until } from './processes.mjs';
import { configAsking, dynamicConfigOf, makeApiKey, makeCertificates } from './secured-server.mjs';

export async function proveSecured(place) {
  useTypeScript();
  const mongo = await proveMongo(place);
  const migrate = ['--import=tsx', 'bin/itembridge.ts', 'migrate'];
  run(process.execPath, migrate, { env: settingsOf(place, mongo), cwd: place.root });
  const database = await startDatabase(place);
  const [certificates, apiKey] = [await makeCertificates(place), makeApiKey(place)];
  const { right } = certificates;
  const node = {
    config: configAsking(place, { certificate: true }),
    dynamicConfig: dynamicConfigOf(place),
    client: right,
  };
  const a = await startServer(place, database, { ...node, name: 'node-a' });
  register(place, { ...right, TEMPORAL_ADDRESS: a.address });
  place.proved('set-up: namespace and search attributes, with our certificate');
  const tried = { place, mongo, address: a.address };
  proveCases(tried, certificates);
  await proveRotation(tried, certificates);
  const keyed = { name: 'node-with-keys', config: configAsking(place, { keys: apiKey.keys }) };
  await proveApiKey({ place, mongo, database, node: { ...node, ...keyed } }, { apiKey, server: certificates.server });
  const b = await startServer(place, database, { ...node, name: 'node-b' });
  await proveTwoNodes(place, { client: { ...right, TEMPORAL_ADDRESS: a.address }, killed: b.child });
  await measurePartitions(place, { ...right, TEMPORAL_ADDRESS: a.address, TEMPORAL_NAMESPACE: 'itembridge' });
}

function proveCases(tried, { server, right, strangers, expired }) {
  const { TEMPORAL_TLS_SERVER_CA_CERT_PATH: _authority, ...unknowing } = right;
  const refused = /refuses our client certificate/;
  isTaken(tried, 'our certificate', right);
  isRefused(
    tried,
    ['no certificate', /set (another )?TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH/],
    server,
  );
  isRefused(tried, ['a certificate of another authority', refused], strangers);
  isRefused(tried, ['an expired certificate', refused], expired);
  isRefused(tried, ['an unknown authority of the server', /set TEMPORAL_TLS_SERVER_CA_CERT_PATH/], unknowing);
  const otherName = { ...right, TEMPORAL_TLS_SERVER_NAME: 'other.example' };
  isRefused(tried, ['another name of the server', /set TEMPORAL_TLS_SERVER_NAME/], otherName);
  isRefused(tried, ['no TLS', /TEMPORAL_TLS=true/], {});
}

/** The server takes the new authority by itself, and the product the new certificate when it starts. */
async function proveRotation(tried, { right, rotate }) {
  const former = await rotate();
  const env = { ...right, TEMPORAL_ADDRESS: tried.address };
  await until(() => run('temporal', ['operator', 'cluster', 'health'], { env }), { what: 'the rotation' });
  isTaken(tried, 'the rotated certificate', right);
  isRefused(tried, ['the one before the rotation', /refuses our client certificate/], former);
}

/** On a node without certificates of clients, and without the server's own worker, which has no key. */
async function proveApiKey({ place, mongo, database, node }, { apiKey, server }) {
  const key = readFileSync(apiKey.right.TEMPORAL_API_KEY_FILE, 'utf8');
  const args = ['frontend', 'history', 'matching'].map((service) => `--service=${service}`);
  const client = { ...server, TEMPORAL_API_KEY: key };
  const { address, child } = await startServer(place, database, { ...node, args, client });
  const tried = { place, mongo, address };
  isTaken(tried, 'an API key', { ...server, ...apiKey.right });
  isRefused(tried, ['an API key of another signer', /refuses the API key/], { ...server, ...apiKey.wrong });
  isRefused(tried, ['no API key', /refuses the API key/], server);
  child.kill();
}

function isTaken(tried, what, settings) {
  const told = askTool(tried, settings);
  if (/is away/.test(told) || !/no worker/.test(told)) throw new Error(`${what}: ${told}`);
  register(tried.place, { ...settings, TEMPORAL_ADDRESS: tried.address });
  tried.place.proved(`${what}: taken`);
}

function isRefused(tried, [what, message], settings) {
  const { place, mongo, address } = tried;
  const env = { ...settingsOf(place, mongo), ...settings, TEMPORAL_ADDRESS: address };
  const told = {
    tool: askTool(tried, settings),
    worker: failureOf(() => run(process.execPath, ['--import=tsx', 'bin/worker.ts'], { env, cwd: place.root })),
  };
  for (const [who, words] of Object.entries(told)) {
    if (!message.test(words)) throw new Error(`${what}, the ${who}: ${words}`);
    if (/PRIVATE KEY-|eyJ/.test(words)) throw new Error(`${what}: the ${who} tells a secret`);
  }
  failureOf(() => register(place, { ...settings, TEMPORAL_ADDRESS: address, TEMPORAL_PATIENCE_SECONDS: '0' }));
  place.proved(`${what}: refused, and worker, tool and set-up say so`);
}

/** Without workers it always ends with 1. */
const askTool = ({ place, mongo, address }, settings) =>
  failureOf(() =>
    run(process.execPath, ['--import=tsx', 'bin/itembridge.ts', 'ops', 'stuck'], {
      env: {
        ...settings,
        MONGODB_URI_FILE: mongo.uriFile,
        TEMPORAL_ADDRESS: address,
        TEMPORAL_NAMESPACE: 'itembridge',
        ITEMBRIDGE_HOME: join(place.home, 'none'),
      },
      cwd: place.root,
    }),
  );

function failureOf(step) {
  try {
    step();
  } catch (error) {
    return error.message;
  }
  throw new Error('a step that must fail did not');
}
