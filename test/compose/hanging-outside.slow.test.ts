import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { composeApiOn } from '../../compose/api.ts';
import { createNameResolver, type ResolveAll } from '../../platform/resolve-names.ts';
import { upsertItem } from '../../features/items/upsert-item.ts';
import { anItemRequest } from '../support/an-item-request.ts';
import { until } from '../support/until.ts';
import { untilReceived, withWorld, type TestAccount, type World } from '../support/world.ts';

// An API whose name servers and whose engine take what it asks and never answer: what callers and other receivers see of it.

let world: World;
withWorld(test, (started) => (world = started));

const namesCount = 8;
/** On a busy machine the names may be given up before the rest is done; who is really blocked never gets through. */
const triesMax = 3;

/** Takes every question, and never answers. */
async function silentNameServer(t: ExecutionContext): Promise<string> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.teardown(() => socket.close());
  return `127.0.0.1:${socket.address().port}`;
}

/** Takes every connection, and never says anything. */
async function silentEngine(t: ExecutionContext): Promise<string> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket.on('error', () => undefined))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const endpoints = () => world.foundation.store.connection.collection<Record<string, unknown>>('webhook_endpoints');

/** As if the account's endpoint had answered before at this name. */
const moveTo = (account: TestAccount, name: string): Promise<unknown> =>
  endpoints().updateOne(
    { accountId: account.id },
    { $set: { url: `https://${name}/hooks`, isProven: true, queue: false } },
  );

const strangers = async (): Promise<TestAccount[]> =>
  Promise.all(Array.from({ length: namesCount }, () => world.account({ connected: false })));

/** Whether log-ins, writes and a healthy receiver were served while all names were still waited for. */
async function isServedMeanwhile(t: ExecutionContext, healthy: TestAccount): Promise<boolean> {
  const { foundation } = world;
  const ask = createNameResolver({ servers: [await silentNameServer(t)] });
  let [asked, ended] = [0, 0];
  const resolveAll: ResolveAll = (name, done) => {
    asked += 1;
    ask(name, (...answer) => {
      ended += 1;
      done(...answer);
    });
  };
  const temporal = { ...foundation.config.temporal, connection: { address: await silentEngine(t) } };
  const config = { ...foundation.config, temporal };
  const { context, close } = composeApiOn({ ...foundation, config, instead: { resolveAll } });
  try {
    const others = await strangers();
    await Promise.all(others.map((account, n) => moveTo(account, `never-${n}.example`)));
    const push = ({ scope }: TestAccount, externalId: string) =>
      upsertItem(context, scope, { externalId, request: anItemRequest() });
    await Promise.all(others.map((account) => push(account, 'A1')));
    await until('all names are asked for', async () => asked >= namesCount);
    const before = (await healthy.received('item.created')).length;
    await Promise.all(Array.from({ length: namesCount }, () => context.passwords.hash('correct horse battery')));
    await push(healthy, `B${before}`);
    await untilReceived(healthy, 'item.created', before + 1);
    return ended === 0;
  } finally {
    await close();
  }
}

// specification: a-hanging-receiver-delays
test('eight names that never resolve and an engine that hangs hold up no log-in, no write and no other receiver', async (t) => {
  t.timeout(180_000);
  const healthy = await world.account();
  await healthy.push('first');
  await untilReceived(healthy, 'item.created');
  await until('its receiver is proven, and nothing waits', () =>
    endpoints().findOne({ accountId: healthy.id, isProven: true, queue: false }),
  );
  let isServed = false;
  for (let tries = 0; tries < triesMax && !isServed; tries += 1) isServed = await isServedMeanwhile(t, healthy);
  t.true(isServed, 'something waited until names were given up');
});
