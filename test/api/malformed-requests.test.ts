import { once } from 'node:events';
import { connect } from 'node:net';
import test from 'ava';
import { isError, withApiWorld } from '../support/api-world.ts';
import { said } from '../support/said.ts';

const world = withApiWorld(test);

/** Everything that comes back for these bytes until the connection closes. */
async function sent(bytes: string): Promise<string> {
  const { hostname, port } = new URL(world().url);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  let text = '';
  socket.on('data', (part: string) => (text += part));
  socket.write(bytes);
  await once(socket, 'close');
  return text;
}

for (const [name, bytes, status, code] of [
  [
    'headers that are too large',
    `GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`,
    431,
    'HEADERS_TOO_LARGE',
  ],
  ['what is no HTTP', 'hello there\r\n\r\n', 400, 'BAD_REQUEST'],
  ['an unknown method', 'FOO / HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'BAD_REQUEST'],
  ['HTTP/1.1 without Host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'BAD_REQUEST'],
  ['two Hosts', 'GET /healthz HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n', 400, 'BAD_REQUEST'],
  [
    'the same Host twice',
    'GET /healthz HTTP/1.1\r\nHost: x\r\nhost: x\r\nConnection: close\r\n\r\n',
    400,
    'BAD_REQUEST',
  ],
  [
    'an expectation',
    'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nConnection: close\r\n\r\n',
    417,
    'EXPECTATION_FAILED',
  ],
  [
    'a body that breaks off among its chunks',
    'POST /categories/convert HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    400,
    'BAD_REQUEST',
  ],
] as const) {
  test(`${status}: ${name}, in the error form and with X-Request-Id`, async (t) => {
    const text = await sent(bytes);
    t.regex(text, new RegExp(`^HTTP/1.1 ${status} [A-Z]`));
    const requestId = /^x-request-id: (\S+)\r$/im.exec(text)?.[1];
    t.regex(requestId ?? '', /^[0-9a-f-]{36}$/);
    const body = JSON.parse(text.slice(text.indexOf('\r\n\r\n'))) as Record<string, unknown>;
    t.like(body, { code, statusCode: status });
    t.is(typeof body['error'], 'string');
    t.true(world().logLines.some((line) => line['requestId'] === requestId));
  });
}

const keysOf = async (token: string): Promise<number> =>
  (await world().call('GET', '/integration/api-keys', { token })).body.keys.length;

test('what is malformed after a good request leaves it its own answer, and the connection ends with that', async (t) => {
  const { token } = await world().account();
  const head = `POST /integration/api-keys/generate HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n`;
  // A body without a length is no body, and then no request.
  for (const bytes of [
    `${head}\r\n{"name":"second"}`,
    `${head}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}nonsense\r\n\r\n`,
  ]) {
    const before = await keysOf(token);
    const text = await sent(bytes);
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status);
    t.deepEqual(statuses, ['200'], text);
    t.regex(text, /^connection: close\r$/im);
    t.is(await keysOf(token), before + 1);
  }
});

const convert = (raw: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) =>
  world().call('POST', '/categories/convert', { raw, headers: { 'content-type': 'application/json', ...headers } });

// specification: payload-too-large-413
test('413 names the limit', async (t) => {
  const { apiKey } = await world().account();
  const body = { a: 'x'.repeat(1024 * 1024) };
  const reply = await world().call('PUT', '/integration/v1/items/A1', { apiKey, body });
  isError(t, reply, { status: 413, code: 'PAYLOAD_TOO_LARGE' });
  t.regex(reply.body.error, /1 MB/);
});

test('422: an id with leading zeros and a number are refused for what is wrong with them', async (t) => {
  for (const [externalId, message] of [
    ['0516', 'must be a positive whole number without leading zeros'],
    [516, 'must be a string: put it in double quotes'],
  ] as const) {
    const reply = await convert(JSON.stringify({ fromMarket: 'marketplace', toMarket: 'service', externalId }), {});
    isError(t, reply, { status: 422, code: 'VALIDATION_FAILED' });
    t.deepEqual(said(reply.body.details), [{ field: 'externalId', message }]);
  }
});

test('400: a # in the request line, wherever it stands, and no item is made of what is before it', async (t) => {
  const { apiKey } = await world().account();
  const body = '{"title":"H","price":1,"imageUrls":[]}';
  const put = (target: string): Promise<string> =>
    sent(
      `PUT ${target} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${apiKey}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
  for (const target of ['H#1', 'H#', '#', 'H?validateOnly=true#1', 'H%20#x', 'H/../H#']) {
    const text = await put(`/integration/v1/items/${target}`);
    t.regex(text, /^HTTP\/1\.1 400 /, target);
    t.regex(text, /"A # has no place in a request .*%23"/, target);
  }
  t.regex(await put('/integration/v1#/items/H'), /^HTTP\/1\.1 400 /);
  const { body: list } = await world().call('GET', '/integration/v1/items', { apiKey });
  t.is(list.items.length, 0);
  t.regex(await put('/integration/v1/items/H%231'), /^HTTP\/1\.1 202 /);
});

test('404: two slashes where one is meant are named, wherever they stand', async (t) => {
  const { apiKey } = await world().account();
  for (const path of [
    '//integration/v1/items/A',
    '/integration//v1/items/A',
    '/integration/v1//items',
    '/integration/v1/items//A',
    '///partner/items',
    '//',
  ]) {
    const text = await sent(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${apiKey}\r\nConnection: close\r\n\r\n`);
    t.regex(text, /^HTTP\/1\.1 404 /, path);
    t.regex(text, /"There is nothing under this path: it has two slashes where one is meant"/, path);
  }
});
