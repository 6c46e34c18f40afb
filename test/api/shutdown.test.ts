import { once } from 'node:events';
import { Agent, request, type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { listen, type ListenOptions, type RunningApi } from '../../api/http/listen.ts';
import type { OpenImage } from '../../gateways/image-store/port.ts';
import { startApiWorld, type ApiWorld } from '../support/api-world.ts';

let world: ApiWorld;
test.before(async () => {
  world = await startApiWorld();
});
test.after.always(() => world.close());

const longDrainMs = 30_000;

type Times = Pick<ListenOptions, 'noticeMs' | 'drainMs' | 'pause'>;

const openStored = (key: string): Promise<OpenImage> => world.imageStore.open(key);

function start(times: Times, openImage = openStored): Promise<RunningApi> {
  const context = { ...world.context, imageStore: { ...world.context.imageStore, open: openImage } };
  // On a busy machine the database may take longer than a readiness check waits for it.
  const parts = { ...world.served.parts, isReady: () => Promise.resolve(true) };
  return listen({ context, parts }, { host: '127.0.0.1', port: 0, ...times });
}

async function answerOf(
  sent: ClientRequest,
): Promise<{ status?: number | undefined; connection?: string | undefined }> {
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  await text(answer);
  return { status: answer.statusCode, connection: answer.headers.connection };
}

function send(api: RunningApi, path: string, options: RequestOptions = {}): ClientRequest {
  const sent = request(`${api.url}${path}`, options);
  sent.on('error', () => undefined);
  return sent;
}

async function open(api: RunningApi): Promise<Socket> {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

test('while it gives notice it is not ready, answers everything, and ends each connection politely', async (t) => {
  const waits: number[] = [];
  let passNotice = (): void => undefined;
  const noticed = new Promise<void>((resolve) => {
    passNotice = resolve;
  });
  const pause = (ms: number): Promise<void> => {
    waits.push(ms);
    return noticed;
  };
  const api = await start({ noticeMs: 1_500, drainMs: longDrainMs, pause });
  const agent = new Agent({ keepAlive: true });
  t.deepEqual(await answerOf(send(api, '/readyz', { agent }).end()), { status: 200, connection: 'keep-alive' });
  const closed = api.close();
  // On the connection that was kept alive, and on new ones.
  t.deepEqual(await answerOf(send(api, '/readyz', { agent }).end()), { status: 503, connection: 'close' });
  t.deepEqual(await answerOf(send(api, '/healthz').end()), { status: 200, connection: 'close' });
  t.deepEqual(waits, [1_500]);
  passNotice();
  t.is(await closed, 0);
  await t.throwsAsync(once(request(`${api.url}/healthz`).end(), 'response'), { code: 'ECONNREFUSED' });
});

test('a request under way is told that its connection ends', async (t) => {
  let goOn = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let isHeld = (): void => undefined;
  const holding = new Promise<void>((resolve) => {
    isHeld = resolve;
  });
  const api = await start({ drainMs: longDrainMs }, async (key) => {
    isHeld();
    await held;
    return world.imageStore.open(key);
  });
  const answered = answerOf(send(api, '/images/a/b/large.jpg', { agent: new Agent({ keepAlive: true }) }).end());
  await holding;
  const closed = api.close();
  goOn();
  t.deepEqual(await answered, { status: 404, connection: 'close' });
  t.is(await closed, 0);
});

test('an upload of which half has come is taken whole', async (t) => {
  const api = await start({ drainMs: longDrainMs });
  const { apiKey } = await world.account();
  const body = Buffer.from(JSON.stringify({ title: 'En sak', price: 100, imageUrls: [], domain: { domain: 'toys' } }));
  const sent = send(api, '/integration/v1/items/half', {
    method: 'PUT',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json', 'content-length': body.length },
  });
  const half = body.length / 2;
  await new Promise((resolve) => sent.write(body.subarray(0, half), resolve));
  // The server has the headers when it has asked for nothing else on another connection of the same time.
  await answerOf(send(api, '/healthz').end());
  const closed = api.close();
  sent.end(body.subarray(half));
  t.deepEqual(await answerOf(sent), { status: 202, connection: 'close' });
  t.is(await closed, 0);
});

test('connections that are idle, or on which nothing was ever said, keep nobody waiting', async (t) => {
  const api = await start({ drainMs: longDrainMs });
  const silent = await open(api);
  const idle = await open(api);
  idle.write('GET /healthz HTTP/1.1\r\nHost: api.test\r\n\r\n');
  await once(idle, 'data');
  const ends = Promise.all([silent, idle].map((socket) => once(socket.resume(), 'close')));
  const startedAt = performance.now();
  t.is(await api.close(), 0);
  t.true(performance.now() - startedAt < longDrainMs / 2);
  await ends;
});

test('what is not finished in time is cut off and counted', async (t) => {
  let isHeld = (): void => undefined;
  const holding = new Promise<void>((resolve) => {
    isHeld = resolve;
  });
  const api = await start({ drainMs: 200 }, () => (isHeld(), new Promise(() => undefined)));
  const sent = send(api, '/images/a/b/large.jpg').end();
  const broken = t.throwsAsync(answerOf(sent), { code: 'ECONNRESET' });
  await holding;
  t.is(await api.close(), 1);
  await broken;
});

test('a port that is taken is an error at the start', async (t) => {
  const port = Number(new URL(world.url).port);
  await t.throwsAsync(listen(world.served, { host: '127.0.0.1', port }), { code: 'EADDRINUSE' });
});
