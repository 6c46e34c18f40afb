import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import test from 'ava';
import { writeToPlace } from '../../gateways/image-process/write-to-place.ts';
import { ImageNotStored, ImageStoreUnavailable, type ImageStore } from '../../gateways/image-store/port.ts';
import { createS3ImageStore } from '../../gateways/image-store/s3-image-store.ts';
import { until } from '../support/until.ts';
import { startHttp, type LocalServer } from './support/local-server.ts';

// What a real server can't be asked for: faults. The rest is tried on one (test/gateways/s3-image-store.slow.test.ts).

const key = 'account/hash/large.jpg';
const secretAccessKey = 'never-to-be-seen';

interface Received {
  readonly request: IncomingMessage;
  readonly body: Buffer;
}

type Answer = (response: ServerResponse) => void;

const servers: LocalServer[] = [];
test.after.always(() => Promise.all(servers.map((server) => server.close())));

/** A store whose server gives these answers, the last one again and again. */
async function answering(...answers: readonly Answer[]): Promise<{ store: ImageStore; received: Received[] }> {
  const received: Received[] = [];
  const server = await startHttp((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ request, body: Buffer.concat(chunks) });
      (answers[received.length - 1] ?? answers.at(-1))?.(response);
    });
  });
  servers.push(server);
  const credentials = { accessKeyId: 'id', secretAccessKey };
  return {
    // On a busy machine the attempts of a check last longer than the product waits for them.
    store: createS3ImageStore({ endpoint: server.url, region: 'eu-north-1', bucket: 'images', credentials }, 60_000),
    received,
  };
}

const error =
  (status: number, code: string): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/xml' });
    response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>told by the store</Message></Error>`);
  };
const facts = { etag: '"abc"', 'last-modified': 'Wed, 21 Oct 2026 07:28:00 GMT' };
const ok: Answer = (response) => void response.writeHead(200, facts).end();
const picture: Answer = (response) => void response.writeHead(200, { ...facts, 'content-length': 7 }).end('picture');
const brokenOff: Answer = (response) => {
  response.writeHead(200, { ...facts, 'content-length': 7 });
  response.write('pic', () => response.destroy());
};
const drop: Answer = (response) => void response.destroy();

const unavailable = { instanceOf: ImageStoreUnavailable };

test('a put goes to the path of its key, and its signature covers the bytes', async (t) => {
  const { store, received } = await answering(ok);
  await store.put(key, Buffer.from('picture'));
  const [{ request, body } = {}] = received;
  t.is(`${request?.method} ${request?.url?.split('?')[0]}`, `PUT /images/${key}`);
  t.is(body?.toString(), 'picture');
  t.is(request?.headers['x-amz-content-sha256'], createHash('sha256').update('picture').digest('hex'));
  t.regex(request?.headers.authorization ?? '', /SignedHeaders=[^,]*x-amz-content-sha256/);
});

test('an address that is signed is of one key, as a JPEG, for half an hour, and holds no secret', async (t) => {
  const { store } = await answering(ok);
  const place = await store.place(key);
  const { pathname, searchParams } = new URL(place.kind === 'address' ? place.url : '');
  t.is(pathname, `/images/${key}`);
  t.is(searchParams.get('X-Amz-SignedHeaders'), 'content-type;host');
  t.is(searchParams.get('X-Amz-Expires'), '1800');
  t.false(JSON.stringify(place).includes(secretAccessKey));
});

const faults = {
  'a throttle': error(503, 'SlowDown'),
  'a fault of the server': error(500, 'InternalError'),
  'a dropped connection': drop,
};
for (const [name, fault] of Object.entries(faults)) {
  test(`after ${name} a request is made again, with all its bytes`, async (t) => {
    const { store, received } = await answering(fault, fault, ok);
    await store.put(key, Buffer.from('picture'));
    t.deepEqual(
      received.map(({ body }) => body.toString()),
      ['picture', 'picture', 'picture'],
    );
  });
}

for (const [name, fault] of Object.entries(faults)) {
  test(`after ${name} an address that was signed is tried again, and given up with the store's own word`, async (t) => {
    const { store, received } = await answering(fault, fault, ok);
    await writeToPlace(await store.place(key), Buffer.from('picture'));
    t.deepEqual(
      received.map(({ body }) => body.toString()),
      ['picture', 'picture', 'picture'],
    );
    const broken = await answering(fault);
    const failure = await t.throwsAsync(writeToPlace(await broken.store.place(key), Buffer.from('picture')));
    t.is(broken.received.length, 3);
    if (fault !== drop) t.regex(failure?.message ?? '', /^(?:SlowDown|InternalError) \(50[03]\)$/);
    t.false(`${failure?.message} ${JSON.stringify(failure)}`.includes('Signature'));
  });
}

// A throttle makes the SDK pause longer, which the test above waits for once.
for (const name of ['a fault of the server', 'a dropped connection'] as const) {
  test(`after ${name} each time it is given up as a fault of the store, by every method`, async (t) => {
    const { store, received } = await answering(faults[name]);
    const requests: Record<string, () => Promise<unknown>> = {
      put: () => store.put(key, Buffer.from('x')),
      read: () => store.read(key),
      stat: () => store.stat(key),
      open: () => store.open(key),
      has: () => store.has(key),
      remove: () => store.remove(key),
      check: () => store.check(),
    };
    for (const [method, request] of Object.entries(requests)) {
      received.length = 0;
      const failure = await t.throwsAsync(request(), unavailable, method);
      // An attempt over a connection that is just being dropped does not reach the server.
      const expected = faults[name] === drop ? [2, 3] : [3];
      t.true(expected.includes(received.length), `${method}: ${received.length}`);
      t.false(`${failure?.message} ${failure?.stack} ${JSON.stringify(failure)}`.includes(secretAccessKey));
    }
  });
}

test('only a key that the store does not know is an image that is not there', async (t) => {
  await t.throwsAsync((await answering(error(404, 'NoSuchKey'))).store.read(key), { instanceOf: ImageNotStored });
  for (const [status, code] of [
    [404, 'NoSuchBucket'],
    [403, 'AccessDenied'],
    [400, 'ExpiredToken'],
    [301, 'PermanentRedirect'],
  ] as const) {
    const { store } = await answering(error(status, code));
    const failure = await t.throwsAsync(store.read(key), unavailable, code);
    t.regex(failure?.message ?? '', new RegExp(`${code} \\(${status}\\): told by the store`));
    await t.throwsAsync(store.open(key), unavailable, code);
  }
});

test('where the right to list is missing S3 answers 403 to a look: that is no image that is not there either', async (t) => {
  const { store } = await answering((response) => void response.writeHead(403).end());
  await t.throwsAsync(store.has(key), { ...unavailable, message: /403/ });
  await t.throwsAsync(store.stat(key), unavailable);
});

test('removing what a store says is not there succeeds', async (t) => {
  await t.notThrowsAsync((await answering(error(404, 'NoSuchKey'))).store.remove(key));
});

test('an image that breaks off is never taken for whole', async (t) => {
  const { store } = await answering(brokenOff);
  await t.throwsAsync(store.read(key), unavailable);
  const { content } = await store.open(key);
  await t.throwsAsync(buffer(content), unavailable);
});

test('an answer without size, ETag or time is a fault of the store', async (t) => {
  let isOpen = true;
  const { store } = await answering((response) => {
    response.once('close', () => (isOpen = false));
    response.writeHead(200).write('pict');
  });
  await t.throwsAsync(store.open(key), unavailable);
  await until('its connection is closed', async () => !isOpen, 5_000);
});

test('a whole image where a range was asked for is a fault of the store', async (t) => {
  const { store } = await answering(picture);
  await t.throwsAsync(store.open(key, { start: 0, end: 2 }), { ...unavailable, message: /not the range/ });
  t.is((await buffer((await store.open(key)).content)).toString(), 'picture');
});

test('an answer that came after a fault is read like any other', async (t) => {
  const { store } = await answering(drop, picture);
  t.is((await store.read(key)).toString(), 'picture');
});
