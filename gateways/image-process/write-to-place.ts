import { Agent, interceptors, request } from 'undici';
import { hostedImageHeaders } from '../../features/images/rules/image-set.ts';
import type { ImagePlace } from '../../features/images/rules/image-place.ts';
import { writeWholeFile } from '../../platform/write-whole-file.ts';

/** All attempts together. */
const timeoutMs = 30_000;
const connectTimeoutMs = 3_000;
/** After a lost connection, a 5xx or a throttle, as for the store's other requests. */
const retry = interceptors.retry({ maxRetries: 2, minTimeout: 200, maxTimeout: 2_000, throwOnError: false });
/** The store is the operator's and may be in a private network, so its address is not guarded. */
const dispatcher = new Agent({ connect: { timeout: connectTimeoutMs } }).compose(retry);

/** Writes one file of an image as a whole. Throws an Error that says why the store did not take it, without its address. */
export async function writeToPlace(place: ImagePlace, bytes: Buffer): Promise<void> {
  if (place.kind === 'file') return writeWholeFile(place.path, bytes, place.temporary);
  const { type, cacheControl } = hostedImageHeaders;
  const { statusCode, body } = await request(place.url, {
    method: 'PUT',
    body: bytes,
    dispatcher,
    signal: AbortSignal.timeout(timeoutMs),
    headers: { 'content-type': type, 'cache-control': cacheControl },
  });
  const text = await body.text();
  if (statusCode >= 300) throw new Error(`${/<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? 'refused'} (${statusCode})`);
}
