import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import test, { type ExecutionContext } from 'ava';
import { accountId, itemId } from '../../features/rules/ids.ts';
import { ImageStoreUnavailable } from '../../gateways/image-store/port.ts';
import { createItemStore } from '../../features/items/store/items.ts';
import { anItem } from '../support/an-item.ts';
import { isError, startApiWorld, withApiWorld, type Reply } from '../support/api-world.ts';
import { fileSystemTime, present } from '../support/clock.ts';

const world = withApiWorld(test);

const aPath = (): string => `${randomUUID()}/${randomBytes(32).toString('hex')}/large.jpg`;

/** A hosted image of ten bytes: `0123456789`. */
async function anImage(): Promise<(headers?: Record<string, string>, method?: string) => Promise<Reply>> {
  const key = aPath();
  await world().imageStore.put(key, Buffer.from('0123456789'));
  // Without this header fetch adds `no-cache` to conditions, which asks for the whole image.
  return (headers = {}, method = 'GET') =>
    world().call(method, `/images/${key}`, { headers: { ...headers, 'cache-control': 'max-age=0' } });
}

function isWhole(t: ExecutionContext, reply: Reply, why?: string): void {
  t.is(reply.status, 200, why);
  t.is(reply.text, '0123456789', why);
  t.is(reply.headers.get('content-range'), null, why);
}

test('images 200: hosted bytes, kept by caches for good, and for pages of other sites', async (t) => {
  const get = await anImage();
  const reply = await get();
  isWhole(t, reply);
  t.is(reply.headers.get('content-type'), 'image/jpeg');
  t.is(reply.headers.get('content-length'), '10');
  t.is(reply.headers.get('cache-control'), 'public, max-age=31536000, immutable');
  t.is(reply.headers.get('cross-origin-resource-policy'), 'cross-origin', 'ads of other sites show it');
  t.is(reply.headers.get('accept-ranges'), 'bytes');
  t.regex(reply.headers.get('etag') ?? '', /^"[\w.-]+"$/);
  t.true(Math.abs(Date.parse(reply.headers.get('last-modified') ?? '') - fileSystemTime().getTime()) < 60_000);
});

test('images 404: what is not there, also under conditions, and paths that lead elsewhere; no cache keeps it', async (t) => {
  for (const headers of [{}, { range: 'bytes=0-1' }, { 'if-none-match': '*' }]) {
    const reply = await world().call('GET', `/images/${aPath()}`, { headers });
    isError(t, reply, { status: 404, code: 'NOT_FOUND' });
    t.is(reply.headers.get('cache-control'), 'no-store');
  }
  isError(t, await world().call('GET', `/images/acc-1/..%2f..%2fx/large.jpg`), { status: 404, code: 'NOT_FOUND' });
});

test('images HEAD: the headers of the whole image and no byte of it', async (t) => {
  const get = await anImage();
  const [whole, head] = [await get(), await get({ range: 'bytes=0-1' }, 'HEAD')];
  t.is(head.status, 200);
  t.is(head.text, '');
  for (const name of ['content-type', 'content-length', 'etag', 'last-modified', 'cache-control', 'accept-ranges'])
    t.is(head.headers.get(name), whole.headers.get(name), name);
});

test('images 304: to a caller that has it, by ETag or by time', async (t) => {
  const get = await anImage();
  const { headers } = await get();
  const [etag, changed] = [headers.get('etag') ?? '', headers.get('last-modified') ?? ''];
  for (const condition of [
    { 'if-none-match': etag },
    { 'if-none-match': `"other", W/${etag}` },
    { 'if-none-match': '*' },
    { 'if-modified-since': changed },
  ]) {
    for (const method of ['GET', 'HEAD']) {
      const reply = await get(condition, method);
      t.is(reply.status, 304, JSON.stringify(condition));
      t.is(reply.text, '');
      t.is(reply.headers.get('etag'), etag);
      t.is(reply.headers.get('cache-control'), headers.get('cache-control'));
      t.is(reply.headers.get('content-length'), null);
    }
  }
  isWhole(t, await get({ 'if-none-match': '"other"' }));
  isWhole(t, await get({ 'if-none-match': '"other"', 'if-modified-since': changed }), 'the ETag decides');
  isWhole(t, await get({ 'if-modified-since': new Date(0).toUTCString() }));
  isWhole(t, await get({ 'if-modified-since': 'yesterday' }));
});

test('images 206: one range, from the start, from the end, or open', async (t) => {
  const get = await anImage();
  for (const [range, text, contentRange] of [
    ['bytes=0-0', '0', 'bytes 0-0/10'],
    ['bytes=2-5', '2345', 'bytes 2-5/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=8-99', '89', 'bytes 8-9/10'],
  ] as const) {
    const reply = await get({ range });
    t.is(reply.status, 206, range);
    t.is(reply.text, text, range);
    t.is(reply.headers.get('content-range'), contentRange, range);
    t.is(reply.headers.get('content-length'), String(text.length), range);
    t.is(reply.headers.get('content-type'), 'image/jpeg');
  }
});

test('images 200: several ranges, another unit, and a range under a condition get the whole image', async (t) => {
  const get = await anImage();
  for (const range of ['bytes=0-1,4-5', 'lines=0-1', 'nonsense', 'bytes=-11', 'bytes=-99999999'])
    isWhole(t, await get({ range }), range);
  isWhole(t, await get({ range: 'bytes=2-5', 'if-range': (await get()).headers.get('etag') ?? '' }));
});

test('images 416: a range beyond the image, with the size that it has', async (t) => {
  const get = await anImage();
  for (const range of ['bytes=10-', 'bytes=10-20', 'bytes=-0', `bytes=${'9'.repeat(400)}-`]) {
    const reply = await get({ range });
    isError(t, reply, { status: 416, code: 'RANGE_NOT_SATISFIABLE' });
    t.is(reply.headers.get('content-range'), 'bytes */10', range);
    t.is(reply.headers.get('etag'), null);
  }
});

test('hosted images are linked at the API, or under the address of a CDN, by the same path', async (t) => {
  const contentHash = 'a'.repeat(64);
  for (const imagesPublicUrl of [undefined, 'https://cdn.example/hosted/']) {
    const linking = await startApiWorld({ ...(imagesPublicUrl && { imagesPublicUrl }) });
    try {
      const { id, apiKey } = await linking.account();
      const image = { sourceUrl: 'https://erp.example/1.jpg', state: 'hosted', contentHash, failure: null } as const;
      const item = anItem({
        accountId: accountId(id),
        id: itemId(randomUUID()),
        imageSet: { number: 1, announced: true, images: [image] },
      });
      await createItemStore(linking.store).insert(item);
      const base = imagesPublicUrl === undefined ? 'http://api.test/images' : 'https://cdn.example/hosted';
      const full = await linking.call('GET', `/integration/v1/items/${item.externalId}?view=full`, { apiKey });
      t.like(full.body.images[0], {
        url: `${base}/${id}/${contentHash}/large.jpg`,
        thumbnailUrl: `${base}/${id}/${contentHash}/thumb.jpg`,
      });
      const list = await linking.call('GET', '/integration/v1/items', { apiKey });
      t.is(list.body.items[0].thumbnailUrl, `${base}/${id}/${contentHash}/thumb.jpg`);
    } finally {
      await linking.close();
    }
  }
});

test('images 503: a store that fails is said so, to be tried again, and told to the operator', async (t) => {
  const failing = await startApiWorld({
    replace: ({ imageStore }) => ({
      imageStore: { ...imageStore, open: () => Promise.reject(new ImageStoreUnavailable('no answer', undefined)) },
    }),
  });
  try {
    const reply = await failing.call('GET', `/images/${aPath()}`);
    isError(t, reply, { status: 503, code: 'UNAVAILABLE' });
    t.truthy(reply.headers.get('retry-after'));
    t.is(reply.headers.get('cache-control'), 'no-store');
    t.like(failing.logLines.at(-1), { level: 40, status: 503, err: { message: 'the image store failed: no answer' } });
  } finally {
    await failing.close();
  }
});

test('an image that breaks off in the store breaks off at the caller, who can’t take it for whole', async (t) => {
  const broken = await startApiWorld({
    replace: ({ imageStore }) => ({
      imageStore: {
        ...imageStore,
        open: async () => ({ bytes: 10, tag: 'x', storedAt: present(), content: Readable.from(breakingOff()) }),
      },
    }),
  });
  try {
    await t.throwsAsync(broken.call('GET', `/images/${aPath()}`), { message: /terminated|fetch failed/ });
  } finally {
    await broken.close();
  }
});

async function* breakingOff(): AsyncGenerator<Buffer> {
  yield Buffer.from('01234');
  throw new ImageStoreUnavailable('gone', undefined);
}

test('a caller that goes away lets go of the stored image', async (t) => {
  let content: Readable | undefined;
  const api = await startApiWorld({
    replace: ({ imageStore }) => ({
      imageStore: {
        ...imageStore,
        open: async (key) => {
          const opened = await imageStore.open(key);
          ({ content } = opened);
          return opened;
        },
      },
    }),
  });
  try {
    const key = aPath();
    // More than the buffers between here and there hold.
    await api.imageStore.put(key, randomBytes(30_000_000));
    const sent = request(`${api.url}/images/${key}`).end();
    sent.on('error', () => undefined);
    await once(sent, 'response');
    t.false(content?.destroyed);
    sent.destroy();
    await new Promise((resolve) => content?.once('close', resolve));
    t.true(content?.destroyed);
  } finally {
    await api.close();
  }
});
