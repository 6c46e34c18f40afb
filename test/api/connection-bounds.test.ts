import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { listen, type ListenOptions, type RunningApi } from '../../api/http/listen.ts';
import { startApiWorld, type ApiWorld } from '../support/api-world.ts';
import { until } from '../support/until.ts';

let world: ApiWorld;
test.before(async () => {
  world = await startApiWorld();
});
test.after.always(() => world.close());

async function start(
  t: ExecutionContext,
  options: Partial<ListenOptions>,
  trustedProxies: readonly string[] = [],
): Promise<RunningApi> {
  const api = await listen(
    { context: world.context, parts: { ...world.served.parts, trustedProxies } },
    { host: '127.0.0.1', port: 0, drainMs: 0, ...options },
  );
  t.teardown(() => api.close());
  return api;
}

/** Requests whose headers never end, as the attack had them. */
async function halfOpen(t: ExecutionContext, { url }: RunningApi, count: number): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => connect(Number(new URL(url).port), '127.0.0.1'));
  t.teardown(() => sockets.forEach((socket) => socket.destroy()));
  for (const socket of sockets) socket.on('error', () => undefined);
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n');
  return sockets;
}

const closedOf = (sockets: readonly Socket[]): number => sockets.filter((socket) => socket.closed).length;

test('one address holds no more connections than its bound, and gets places back with those it closes', async (t) => {
  const api = await start(t, { connectionsPerNetworkMax: 20 });
  const sockets = await halfOpen(t, api, 60);
  await until('the connections beyond the bound are closed', async () => closedOf(sockets) === 40);
  const open = sockets.filter((socket) => !socket.closed);
  open.slice(0, 5).forEach((socket) => socket.destroy());
  const asked = () => fetch(`${api.url}/healthz`).catch(() => undefined);
  await until('an answer on a place that is free again', async () => (await asked())?.status === 200);
  t.is(open.filter((socket) => socket.closed).length, 5, 'those within the bound stay');
  t.true(world.logLines.some((line) => line['msg'] === 'connections.refused'));
});

test('a trusted proxy is not counted: it has the connections of everybody', async (t) => {
  const api = await start(t, { connectionsPerNetworkMax: 20 }, ['loopback']);
  const sockets = await halfOpen(t, api, 60);
  t.is((await fetch(`${api.url}/healthz`)).status, 200);
  t.is(closedOf(sockets), 0);
});

test('the process as a whole holds no more connections than its bound', async (t) => {
  const api = await start(t, { connectionsMax: 10 }, ['loopback']);
  const sockets = await halfOpen(t, api, 30);
  await until('the connections beyond the bound are closed', async () => closedOf(sockets) === 20);
  t.pass();
});
