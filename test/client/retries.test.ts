import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import { problem } from '../../features/rules/field-problems.ts';
import { createItembridgeClient, type ClientSettings } from '../../client/create-itembridge-client.ts';
import { ItembridgeError, ItembridgeUnreachable } from '../../client/itembridge-error.ts';
import type { Retry } from '../../client/retries.ts';
import { collectGarbage } from '../support/collect-garbage.ts';
import { listening } from '../support/listening.ts';

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** What the server does with one request: a status, or closing the connection after it was read; `isCut` closes it within the answer. */
type Turn = { status: number; headers?: Record<string, string>; body?: unknown; isCut?: boolean } | 'drop';

/** A server that answers by a script, then always 200, and a client for it that waits a millisecond. */
async function aClient(t: ExecutionContext, script: Turn[], settings: Partial<ClientSettings> = {}) {
  const asked: Asked[] = [];
  const retried: Retry[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      asked.push({ method, path, headers, body: Buffer.concat(chunks).toString('utf8') });
      const turn = script.shift() ?? { status: 200 };
      if (turn === 'drop') request.socket.destroy();
      else if (turn.isCut === true) {
        response.writeHead(turn.status, { ...turn.headers, 'content-length': '100' });
        response.write('{"line":1,"status":422}\n{"li', () => request.socket.destroy());
      } else {
        response.writeHead(turn.status, { 'content-type': 'application/json', ...turn.headers });
        response.end(JSON.stringify(turn.body ?? {}));
      }
    });
  });
  const url = await listening(t, server);
  const client = createItembridgeClient({
    baseUrl: `${url}/`,
    apiKey: 'sk_live_test',
    session: () => 'jwt',
    ...settings,
    retries: { firstDelayMs: 1, onRetry: (retry) => retried.push(retry), ...settings.retries },
  });
  return { client, asked, retried };
}

const item = { title: 'a', price: 1, imageUrls: [] };
const path = { external_id: 'A/1 å' };

test('what may be repeated is repeated over trouble of network and server, the same each time', async (t) => {
  const { client, asked } = await aClient(t, [
    'drop',
    { status: 502 },
    { status: 503, headers: { 'retry-after': '0' } },
  ]);
  await client.api.upsertItem({ path, body: item });
  t.is(asked.length, 4);
  t.deepEqual(
    [...new Set(asked.map(({ method, path: at, body }) => `${method} ${at} ${body}`))],
    [`PUT /integration/v1/items/A%2F1%20%C3%A5 ${JSON.stringify(item)}`],
  );
});

test('a POST gets an Idempotency-Key of its own where it is honoured, keeps it over its tries, and keeps a given one', async (t) => {
  const { client, asked } = await aClient(t, ['drop']);
  await client.api.publishItem({ path });
  await client.api.publishItem({ path, headers: { 'Idempotency-Key': 'mine' } });
  const keys = asked.map(({ headers }) => headers['idempotency-key']);
  t.regex(String(keys[0]), /^[0-9a-f-]{36}$/);
  t.deepEqual(keys, [keys[0], keys[0], 'mine']);
});

test('nothing is repeated that could be done twice, or that would meet its own first try', async (t) => {
  const { client, asked } = await aClient(t, ['drop', 'drop', { status: 500 }]);
  await t.throwsAsync(client.api.login({ body: { email: 'a@example.se', password: 'x' } }), {
    instanceOf: ItembridgeUnreachable,
  });
  const headers = { 'If-Match': '"x.1"' };
  await t.throwsAsync(client.api.upsertItem({ path, headers, body: item }), {
    instanceOf: ItembridgeUnreachable,
  });
  await t.throwsAsync(client.api.rotateWebhookSecret({ path: { id: 'w' } }), { instanceOf: ItembridgeError });
  t.is(asked.length, 3);
});

test('an answer that breaks off after its headers is none: repeated where that is allowed, else out of reach', async (t) => {
  const cut: Turn = { status: 200, isCut: true };
  const { client, asked } = await aClient(t, [cut, cut]);
  await client.api.listItems();
  t.is(asked.length, 3);

  const bulk = await aClient(t, [cut, { status: 200 }, { status: 202, isCut: true }, { status: 202 }]);
  await bulk.client.bulkSyncs.read('b');
  await bulk.client.bulkSyncs.upload(async function* () {
    yield Buffer.from('{"externalId":"A"}\n');
  });
  t.is(bulk.asked.length, 4);
  t.is(bulk.asked[2]?.headers['idempotency-key'], bulk.asked[3]?.headers['idempotency-key']);

  const once = await aClient(t, [cut]);
  const login = once.client.api.login({ body: { email: 'a@example.se', password: 'x' } });
  await t.throwsAsync(login, { instanceOf: ItembridgeUnreachable });
  t.is(once.asked.length, 1);
});

test('of an answer that breaks off after it said no, the status counts', async (t) => {
  const { client, asked } = await aClient(t, [
    { status: 429, headers: { 'retry-after': '0' }, isCut: true },
    { status: 403, isCut: true },
  ]);
  const login = client.api.login({ body: { email: 'a@example.se', password: 'x' } });
  t.is((await t.throwsAsync(login, { instanceOf: ItembridgeError })).status, 403);
  t.is(asked.length, 2);
});

test('failed lines that break off are given as far as they came, and then it is out of reach', async (t) => {
  const { client } = await aClient(t, [{ status: 200, isCut: true }]);
  const lines: number[] = [];
  const reading = async (): Promise<void> => {
    for await (const { line } of client.bulkSyncs.errors('b')) lines.push(line);
  };
  await t.throwsAsync(reading(), { instanceOf: ItembridgeUnreachable });
  t.deepEqual(lines, [1]);
});

test('429 is repeated whatever it is, after its Retry-After', async (t) => {
  const { client, asked, retried } = await aClient(t, [{ status: 429, headers: { 'retry-after': '1' } }]);
  await client.api.login({ body: { email: 'a@example.se', password: 'x' } });
  t.is(asked.length, 2);
  t.true((retried[0]?.delayMs ?? 0) >= 1_000);
});

test('a Retry-After beyond the longest wait is not sat out: the error tells it', async (t) => {
  const { client, asked } = await aClient(t, [{ status: 429, headers: { 'retry-after': '3600' } }]);
  const error = await t.throwsAsync(client.api.listItems(), { instanceOf: ItembridgeError });
  t.is(error.retryAfterMs, 3_600_000);
  t.is(asked.length, 1);
});

test('every call says which client asks, and for which program', async (t) => {
  const { client, asked } = await aClient(t, [], { application: 'my-erp/3.1' });
  await client.api.listItems();
  await client.bulkSyncs.read('b');
  const { version } = JSON.parse(readFileSync('packages/client/package.json', 'utf8')) as { version: string };
  const wanted = `my-erp/3.1 itembridge-client/${version} (node/${process.versions.node}; ${process.platform})`;
  t.deepEqual(
    asked.map(({ headers }) => headers['user-agent']),
    [wanted, wanted],
  );
});

test('waits grow, differ, and end with the last allowed try', async (t) => {
  const down = Array.from({ length: 4 }, (): Turn => ({ status: 503 }));
  const { client, asked, retried } = await aClient(t, down, {
    retries: { attemptsMax: 4, firstDelayMs: 20, delayMsMax: 40 },
  });
  const error = await t.throwsAsync(client.api.listItems(), { instanceOf: ItembridgeError });
  t.is(error.status, 503);
  t.is(asked.length, 4);
  const [first = 0, second = 0, third = 0] = retried.map(({ delayMs }) => delayMs);
  t.true(first >= 10 && first <= 20 && second >= 20 && second <= 40 && third >= 20 && third <= 40);
});

test('a call can be stopped while it waits, also after garbage was collected', async (t) => {
  const controller = new AbortController();
  const stop = (): void => {
    // Whatever passes the caller's signal on must still be there by now.
    collectGarbage();
    controller.abort(new Error('enough'));
  };
  const { client, asked } = await aClient(t, [{ status: 429, headers: { 'retry-after': '60' } }], {
    retries: { onRetry: stop },
  });
  await t.throwsAsync(client.api.listItems({ signal: controller.signal }), { message: 'enough' });
  t.is(asked.length, 1);
});

test('an error has status, code, details and request id; what is no error of the service has its status', async (t) => {
  const details = [problem('price', 'too_small', { min: 1 })];
  // As a service sent it before entries had code and params, and what is no entry at all.
  const ofEarlier = { field: 'title', message: 'is required' };
  const body = {
    error: 'Validation failed',
    code: 'VALIDATION_FAILED',
    details: [...details, ofEarlier, { field: 'x' }, 'x', null],
  };
  const { client } = await aClient(t, [{ status: 422, body, headers: { 'x-request-id': 'r-1' } }, { status: 403 }]);
  const error = await t.throwsAsync(client.api.upsertItem({ path, body: item }), {
    instanceOf: ItembridgeError,
  });
  t.is(error.message, '422 VALIDATION_FAILED: price must be at least 1; title is required (request r-1)');
  t.like(error, { reason: 'Validation failed', status: 422, code: 'VALIDATION_FAILED', requestId: 'r-1' });
  t.deepEqual(error.details, [...details, { ...ofEarlier, code: 'not_valid', params: {} }]);
  const other = await t.throwsAsync(client.api.listItems(), { instanceOf: ItembridgeError });
  t.like(other, { message: '403: no explanation was given', status: 403, code: undefined, details: [] });
});

test('the API key and the member go with calls that take them and with no other', async (t) => {
  const { client, asked } = await aClient(t, [], { partnerAccount: 'butik-1' });
  await client.api.listItems();
  await client.api.listApiKeys();
  await client.api.listCategories();
  const sent = asked.map(({ headers }) => [headers['x-api-key'], headers['x-partner-account'], headers.authorization]);
  t.deepEqual(sent, [
    ['sk_live_test', 'butik-1', undefined],
    [undefined, undefined, 'Bearer jwt'],
    [undefined, undefined, undefined],
  ]);
});

test('a redirect is not followed, because the key would go with it', async (t) => {
  const { client, asked } = await aClient(t, [{ status: 302, headers: { location: '/elsewhere' } }], {
    retries: { attemptsMax: 1 },
  });
  await t.throwsAsync(client.api.listItems(), { instanceOf: ItembridgeUnreachable });
  t.is(asked.length, 1);
});

test('an upload begins its lines anew for each try, under one Idempotency-Key', async (t) => {
  const { client, asked } = await aClient(t, ['drop', { status: 429, headers: { 'retry-after': '0' } }]);
  let begun = 0;
  await client.bulkSyncs.upload(async function* () {
    begun += 1;
    yield Buffer.from('{"externalId":"A"}\n');
    yield Buffer.from('{"externalId":"B"}\n');
  });
  t.is(begun, 3);
  t.deepEqual([...new Set(asked.map(({ body }) => body))], ['{"externalId":"A"}\n{"externalId":"B"}\n']);
  t.is(new Set(asked.map(({ headers }) => headers['idempotency-key'])).size, 1);
});

test('lines that can not be read break the upload off, say why, and are not tried again', async (t) => {
  const { client, asked } = await aClient(t, []);
  let begun = 0;
  const error = await t.throwsAsync(
    client.bulkSyncs.upload(async function* () {
      begun += 1;
      yield Buffer.from('{"externalId":"A"}\n');
      throw new TypeError('no such column');
    }),
    { message: 'The lines could not be read' },
  );
  t.like(error.cause, { message: 'no such column' });
  t.is(begun, 1);
  t.is(asked.length, 0);
});
