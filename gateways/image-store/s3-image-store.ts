import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  type GetObjectCommandInput,
  type ListObjectsV2CommandOutput,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { hostedImageHeaders } from '../../features/images/rules/image-set.ts';
import { failingAsStore, inStore, isStored, requireImageKey } from './in-store.ts';
import {
  ImageNotStored,
  ImageStoreUnavailable,
  isImageKey,
  type ByteRange,
  type ImageFacts,
  type ImageStore,
} from './port.ts';

export interface S3Settings {
  /** Base address of the S3 API, with the bucket in the path; '' is AWS in the region, with the bucket in the host name. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** null: the machine's own credentials, as the SDK finds them (role of the instance or container, profile). */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null;
}

/** The SDK repeats a failed request twice, with growing pauses: without an answer, after a 5xx, or when throttled. */
const attemptsMax = 3;
const connectTimeoutMs = 3_000;
/** From the request to the headers of its answer. */
const answerTimeoutMs = 10_000;
/** Without any byte, while an image is received or the caller reads none of it. */
const idleTimeoutMs = 30_000;
/** All attempts together, with the body. */
const transferTimeoutMs = 30_000;
/** An address that was signed is valid for the longest time that a step for images may take. */
const signedSeconds = 30 * 60;
const lookTimeoutMs = 10_000;
/** All attempts together. Short, because a process that stops waits for its last check. */
const checkTimeoutMs = 5_000;
/** The port promises 10 s. */
const removeTimeoutMs = 8_000;

/**
 * Stores images as objects of a bucket that exists. The keys are those of the port, so a CDN or a public bucket serves the same
 * paths as the API. Needs the rights GetObject, PutObject, DeleteObject and ListBucket: without the last one S3 answers 403 for
 * what is not there, and every new image would fail. The bucket must read its own writes, as S3 does.
 */
export function createS3ImageStore(settings: S3Settings, checkMs = checkTimeoutMs): ImageStore {
  const client = openClient(settings);
  const { bucket: Bucket } = settings;
  const get = (input: Omit<GetObjectCommandInput, 'Bucket'>, signal?: AbortSignal) =>
    client.send(new GetObjectCommand({ Bucket, ...input }), signal && { abortSignal: signal });
  const stat = (Key: string): Promise<ImageFacts> =>
    ofKey(Key, async () =>
      factsOf(
        await client.send(new HeadObjectCommand({ Bucket, Key }), { abortSignal: AbortSignal.timeout(lookTimeoutMs) }),
      ),
    );
  return {
    put: async (Key, Body) => {
      requireImageKey(Key);
      const { type: ContentType, cacheControl: CacheControl } = hostedImageHeaders;
      const command = new PutObjectCommand({ Bucket, Key, Body, ContentType, CacheControl });
      await ofKey(Key, () => client.send(command, { abortSignal: AbortSignal.timeout(transferTimeoutMs) }));
    },
    place: async (Key) => {
      requireImageKey(Key);
      const command = new PutObjectCommand({ Bucket, Key, ContentType: hostedImageHeaders.type });
      // The type is signed, so nothing but a JPEG by name comes under the address.
      const options = { expiresIn: signedSeconds, signableHeaders: new Set(['content-type']) };
      return { kind: 'address', url: await inStore(() => getSignedUrl(client, command, options)) };
    },
    read: (Key) =>
      ofKey(Key, async () => buffer(streamOf((await get({ Key }, AbortSignal.timeout(transferTimeoutMs))).Body))),
    stat,
    open: (Key, range) =>
      ofKey(Key, async () => {
        const { Body, ...head } = await get({ Key, ...(range && { Range: rangeHeader(range) }) });
        const body = streamOf(Body);
        try {
          return { ...factsOf(range === undefined ? head : wholeOf(head)), content: failingAsStore(body) };
        } catch (error) {
          body.destroy(); // Otherwise its connection would stay open.
          throw error;
        }
      }),
    has: (key) => isStored(stat(key)),
    remove: async (Key) => {
      const command = new DeleteObjectCommand({ Bucket, Key });
      await isStored(ofKey(Key, () => client.send(command, { abortSignal: AbortSignal.timeout(removeTimeoutMs) })));
    },
    // A put is a single request, and a bucket stores nothing of an incomplete one.
    removeLeftovers: () => Promise.resolve(0),
    list: async function* (account) {
      const folder = account !== undefined && { Prefix: `${account}/` };
      for (let page: ListObjectsV2CommandOutput | undefined; ;) {
        const command = new ListObjectsV2Command({ Bucket, ...folder, ContinuationToken: page?.NextContinuationToken });
        const abortSignal = AbortSignal.timeout(transferTimeoutMs);
        page = await inStore(() => client.send(command, { abortSignal }).catch(tellCode));
        for (const { Key = '' } of page.Contents ?? []) if (isImageKey(Key)) yield Key;
        if (page.IsTruncated !== true) return;
      }
    },
    check: async () => {
      const abortSignal = AbortSignal.timeout(checkMs);
      await inStore(() => client.send(new HeadBucketCommand({ Bucket }), { abortSignal }).catch(tellCode));
    },
  };
}

function openClient({ endpoint, region, credentials }: S3Settings): S3Client {
  // The API's connections and the worker's parallel work limit the sockets. A limit here would let slow readers of
  // images use up all of them.
  const agent = { keepAlive: true, maxSockets: Infinity };
  return new S3Client({
    region,
    maxAttempts: attemptsMax,
    ...(credentials !== null && { credentials }),
    ...(endpoint !== '' && { endpoint, forcePathStyle: true }),
    // Stores of many other vendors refuse the SDK's newer checksums. The signature covers the bytes of a put anyway.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      httpAgent: agent,
      httpsAgent: agent,
      connectionTimeout: connectTimeoutMs,
      requestTimeout: answerTimeoutMs,
      socketTimeout: idleTimeoutMs,
      throwOnRequestTimeout: true,
    },
  });
}

/** Runs a request about one key, with the errors of the port. */
const ofKey = <T>(key: string, request: () => Promise<T>): Promise<T> =>
  inStore(async () => {
    if (!isImageKey(key)) throw new ImageNotStored(key);
    return request().catch((error: unknown) => {
      if (isMissing(error)) throw new ImageNotStored(key);
      return tellCode(error);
    });
  });

/** A GET names a missing bucket. The answer to a HEAD has no body, so its 404 may mean either. */
const isMissing = (error: unknown): boolean =>
  error instanceof S3ServiceException && (error.name === 'NoSuchKey' || error.name === 'NotFound');

/** Operators look up the code; some messages are empty. */
function tellCode(error: unknown): never {
  if (!(error instanceof S3ServiceException)) throw error;
  const { name, message, $metadata } = error;
  throw new ImageStoreUnavailable(`${name} (${$metadata.httpStatusCode ?? 'no status'}): ${message}`, error);
}

const rangeHeader = ({ start, end }: ByteRange): string => `bytes=${start}-${end}`;

/** The facts of the whole image, from the answer with a part of it. `bytes 0-9/200` is a part of 200 bytes. */
function wholeOf({ ContentRange, ...head }: Head): Head {
  const [, size] = /^bytes \d+-\d+\/(\d+)$/.exec(ContentRange ?? '') ?? [];
  if (size === undefined) throw new Error('its answer is not the range that was asked for');
  return { ...head, ContentLength: Number(size) };
}

interface Head {
  readonly ContentRange?: string | undefined;
  readonly ContentLength?: number | undefined;
  readonly ETag?: string | undefined;
  readonly LastModified?: Date | undefined;
}

function factsOf({ ContentLength: bytes, ETag, LastModified: storedAt }: Head): ImageFacts {
  const tag = ETag?.replace(/^W\//, '').replaceAll('"', '');
  if (bytes === undefined || tag === undefined || storedAt === undefined)
    throw new Error('its answer has no size, ETag or time');
  return { bytes, tag, storedAt };
}

function streamOf(body: unknown): Readable {
  if (body instanceof Readable) return body;
  throw new Error('its answer has no body');
}
