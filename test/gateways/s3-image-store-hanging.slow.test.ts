import { buffer } from 'node:stream/consumers';
import test from 'ava';
import { createS3ImageStore } from '../../gateways/image-store/s3-image-store.ts';
import { ImageStoreUnavailable, type ImageStore } from '../../gateways/image-store/port.ts';
import { startHttp } from './support/local-server.ts';
import { present } from '../support/clock.ts';

// These wait for the real time limits of sockets, all at once: half a minute.

const key = 'account/hash/large.jpg';
const storeAt = (endpoint: string): ImageStore =>
  createS3ImageStore({
    endpoint,
    region: 'eu-north-1',
    bucket: 'images',
    credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
  });

const silent = await startHttp(() => undefined);
const stalling = await startHttp((_request, response) => {
  response.writeHead(200, { etag: '"a"', 'last-modified': present().toUTCString(), 'content-length': 7 });
  response.write('pic');
});
test.after.always(() => Promise.all([silent.close(), stalling.close()]));

async function secondsUntilFailure(work: Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  const failure: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(failure instanceof ImageStoreUnavailable)) throw new Error('it did not fail', { cause: failure });
  return (performance.now() - startedAt) / 1_000;
}

for (const [name, atMost, work] of [
  ['a removal, within the 10 s that the collector relies on', 10, () => storeAt(silent.url).remove(key)],
  ['a look', 15, () => storeAt(silent.url).has(key)],
  ['a check', 7, () => storeAt(silent.url).check()],
  ['a put', 35, () => storeAt(silent.url).put(key, Buffer.from('x'))],
  ['a reading', 35, () => storeAt(silent.url).read(key)],
  ['an image that is to be sent on', 40, () => storeAt(silent.url).open(key)],
  ['a reading that comes to a stop in the middle', 35, () => storeAt(stalling.url).read(key)],
  [
    'an image that is being sent on and comes to a stop',
    40,
    async () => buffer((await storeAt(stalling.url).open(key)).content),
  ],
] as const)
  test(`a store that hangs fails ${name}`, async (t) => {
    t.true((await secondsUntilFailure(work())) <= atMost);
  });
