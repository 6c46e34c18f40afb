import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { loadTemporalConfig, type Config } from '../../compose/config.ts';
import { openOperations } from '../../compose/operations.ts';
import { composeStarts } from '../../compose/starts.ts';
import { freePort } from '../../embedded/choose-port.ts';
import { createLogger } from '../../platform/logger.ts';
import { runWorkers } from '../../workers/run-workers.ts';
import { createAuthority, type TestCertificate } from '../gateways/support/certificates.ts';
import { startTemporalBehindTls } from '../support/temporal-behind-tls.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { startWorld, untilMarketplaceStatus, type World } from '../support/world.ts';

const folder = temporaryFolder('temporal-tls');
const fileOf = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const pairOf = (name: string, { cert, key }: TestCertificate) => ({
  TEMPORAL_TLS_CLIENT_CERT_PATH: fileOf(`${name}.pem`, cert),
  TEMPORAL_TLS_CLIENT_KEY_PATH: fileOf(`${name}.key`, key),
});

const [apiKey, wrongKey] = ['the-right-key-4711', 'the-wrong-key-4712'];
const names = ['temporal.example'];
const [authority, ours, theirs] = await Promise.all(
  ['servers', 'clients', 'others'].map((name) => createAuthority(name)),
);
if (authority === undefined || ours === undefined || theirs === undefined) throw new Error('no authorities');
const own = pairOf('own', await ours.issue(['itembridge']));
const strangers = pairOf('strangers', await theirs.issue(['itembridge']));
const server = {
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: fileOf('servers.pem', authority.pem),
  TEMPORAL_TLS_SERVER_NAME: 'temporal.example',
};

const nobody = `127.0.0.1:${await freePort()}`;
let world: World;
let front: Awaited<ReturnType<typeof startTemporalBehindTls>>;
let keyed: typeof front;
test.before(async () => {
  front = await startTemporalBehindTls({ names, authority, clients: [ours] });
  keyed = await startTemporalBehindTls({ names, authority, clients: [], apiKey });
  world = await startWorld({ workers: false });
});
test.after.always(async () => {
  await world?.stop();
  front?.close();
  keyed?.close();
});

const configOf = (environment: Record<string, string>): Config => {
  const { config } = world.foundation;
  const { connection } = loadTemporalConfig({}, environment);
  return { ...config, temporal: { ...config.temporal, connection } };
};

const askTool = async (config: Config) => {
  const operations = await openOperations(config);
  try {
    return (await operations.findStuck({ sinceMs: 0, limit: 1 })).engine;
  } finally {
    await operations.close();
  }
};

/** What the API logs of a start that is lost. */
async function loseStart(config: Config): Promise<string> {
  const lines: string[] = [];
  const logger = {
    ...world.foundation.logger,
    warn: (fields: object) => void lines.push(inspect(fields, { depth: 9 })),
  };
  const { hints, close } = composeStarts({
    ...world.foundation,
    config,
    logger: logger as typeof world.foundation.logger,
  });
  let started = 0;
  // On a busy machine the time of the first start may be over before it has tried.
  await until('a lost start says why', async () => {
    if (lines.length === started)
      hints.bulkSyncSoon({ bulkId: `b${(started += 1)}` as never, accountId: 'a1' as never });
    return lines.some((line) => line.includes('out of reach: '));
  });
  await close();
  return lines.join('\n');
}

/** What an operator reads, of the three. */
async function refusals(t: ExecutionContext, config: Config): Promise<readonly string[]> {
  const [api, tool] = await Promise.all([loseStart(config), askTool(config)]);
  const worker = await t.throwsAsync(runWorkers(config, createLogger('test', 'fatal')));
  return [api, inspect(worker, { depth: 9 }), tool.kind === 'away' ? tool.message : `the tool: ${tool.kind}`];
}

for (const [what, settings, message] of [
  [
    'no client certificate',
    () => ({ TEMPORAL_ADDRESS: front.address, ...server }),
    /set (another )?TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH/,
  ],
  [
    'a client certificate of another authority',
    () => ({ TEMPORAL_ADDRESS: front.address, ...server, ...strangers }),
    /refuses our client certificate.*TEMPORAL_TLS_CLIENT_CERT_PATH/,
  ],
  [
    'a server of an authority that is not known',
    () => ({ TEMPORAL_ADDRESS: front.address, ...own, TEMPORAL_TLS_SERVER_NAME: 'temporal.example' }),
    /set TEMPORAL_TLS_SERVER_CA_CERT_PATH/,
  ],
  [
    'a server of another name',
    () => ({ TEMPORAL_ADDRESS: front.address, ...own, ...server, TEMPORAL_TLS_SERVER_NAME: 'other.example' }),
    /set TEMPORAL_TLS_SERVER_NAME/,
  ],
  ['a server with TLS, called without', () => ({ TEMPORAL_ADDRESS: front.address }), /TEMPORAL_TLS=true/],
  [
    'a server without TLS, called with',
    () => ({
      TEMPORAL_ADDRESS: process.env['TEST_TEMPORAL_ADDRESS'] ?? '',
      TEMPORAL_TLS: 'true',
      TEMPORAL_TLS_SERVER_NAME: 'temporal.example',
    }),
    /speaks no TLS there: take TEMPORAL_TLS/,
  ],
  [
    'a wrong API key',
    () => ({ TEMPORAL_ADDRESS: keyed.address, ...server, TEMPORAL_API_KEY: wrongKey }),
    /refuses the API key.*TEMPORAL_API_KEY_FILE/,
  ],
  ['nothing that listens', () => ({ TEMPORAL_ADDRESS: nobody }), /nothing answers at TEMPORAL_ADDRESS/],
] as const)
  test(`${what}: API, worker and tool say which setting to change, and no secret`, async (t) => {
    for (const told of await refusals(t, configOf(settings()))) {
      t.regex(told, message);
      t.notRegex(told, /PRIVATE KEY|the-(right|wrong)-key/);
    }
  });

test('with an API key as a file, its header opens the server to worker and tool', async (t) => {
  const config = configOf({
    TEMPORAL_ADDRESS: keyed.address,
    ...server,
    TEMPORAL_API_KEY_FILE: fileOf('api-key', `${apiKey}\n`),
  });
  t.is((await askTool(config)).kind, 'answers');
  await (await runWorkers(config, createLogger('test', 'fatal'))).stop();
});

test('with our certificate an item goes live; after a rotation it waits for a restart, which takes the new one', async (t) => {
  const proxy = await startTemporalBehindTls({ names, authority, clients: [ours] });
  const rotating = pairOf('rotating', await ours.issue(['itembridge']));
  const settings = { TEMPORAL_ADDRESS: proxy.address, ...server, ...rotating };
  const running = await startWorld({ environment: settings });
  t.teardown(async () => {
    proxy.trust(ours, theirs);
    await running.stop();
    proxy.close();
  });
  const account = await running.account();
  await account.push('before', {}, { autoPublish: true });
  await untilMarketplaceStatus(account, 'before', 'active');

  const { config } = running.foundation;
  proxy.trust(theirs);
  t.regex(await loseStart(config), /refuses our client certificate/);
  await account.push('after', {}, { autoPublish: true });
  pairOf('rotating', await theirs.issue(['itembridge']));
  const temporal = { ...config.temporal, connection: loadTemporalConfig({}, settings).connection };
  const restarted = await runWorkers({ ...config, temporal }, createLogger('test', 'fatal'));
  await untilMarketplaceStatus(account, 'after', 'active');

  await restarted.stop();
});
