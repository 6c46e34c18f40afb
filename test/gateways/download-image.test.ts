import type { RequestListener, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import test, { type ExecutionContext } from 'ava';
import {
  createImageDownload,
  type DownloadImage,
  type ImageDownloadOptions,
} from '../../gateways/image-process/download-image.ts';
import type { ImageFailure } from '../../features/images/rules/image-failure.ts';
import { UnusableImage, type Retry } from '../../gateways/image-process/port.ts';
import { createGuardedAgent } from '../../platform/guarded-agent.ts';
import { createAuthority } from './support/certificates.ts';
import { drip, localCertificate, startHttps, type LocalServer } from './support/local-server.ts';

const png = Buffer.from('\x89PNG\r\n\x1A\n', 'latin1');

async function setUp(
  t: ExecutionContext,
  listener: RequestListener,
  options: Partial<ImageDownloadOptions> = {},
): Promise<{ server: LocalServer; download: DownloadImage }> {
  const { authority } = await localCertificate();
  const agent = createGuardedAgent({ allowPrivateNetworks: true, authorities: authority.pem });
  const server = await startHttps(listener);
  t.teardown(async () => {
    await agent.destroy();
    await server.close();
  });
  return { server, download: createImageDownload({ agent, ...options }) };
}

async function fails(
  t: ExecutionContext,
  downloading: Promise<Buffer>,
  expected: ImageFailure & { retry: Retry },
): Promise<void> {
  const error = await t.throwsAsync(downloading, { instanceOf: UnusableImage });
  const { retry, ...failure } = expected;
  t.deepEqual([error.failure, error.retry], [failure, retry]);
}

test('an image is downloaded byte for byte', async (t) => {
  const bytes = Buffer.concat([png, Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251))]);
  const { server, download } = await setUp(t, (_request, response) => response.end(bytes));
  t.deepEqual(await download(`${server.url}/a.jpg`), bytes);
});

// A host that hung up while a body waited ended the process with undici 7 (its issue 5360).
test('an image waits for its room, although its host hangs up meanwhile', async (t) => {
  for (const length of [1_000, 65_535, 65_536, 65_537, 200_000])
    for (const framing of [{ 'content-length': length }, { 'transfer-encoding': 'chunked' }, {}]) {
      const image = Buffer.alloc(length, png);
      const { server, download } = await setUp(t, (_request, response) => {
        if (Object.keys(framing).length === 0) response.useChunkedEncodingByDefault = false;
        response.writeHead(200, { connection: 'close', ...framing }).end(image);
      });
      t.true(image.equals(await download(server.url, { room: () => server.whenIdle() })), JSON.stringify(framing));
      t.is(server.connections().accepted, 1);
    }
});

test('a host that breaks off while its image waits is asked again, and the process goes on', async (t) => {
  const { server, download } = await setUp(t, (_request, response) => {
    response
      .writeHead(200, { 'content-length': 1_000_000 })
      .write(Buffer.alloc(300_000, png), () => response.destroy());
  });
  await fails(t, download(server.url, { room: () => server.whenIdle() }), {
    ...({ kind: 'broken', detail: 'connection was closed before the answer was complete' } as const),
    retry: 'soon',
  });
});

test('an image takes the room that its host announces; one that is packed, or of no size, that of the largest', async (t) => {
  const image = Buffer.alloc(5_000_000, png);
  const packed = gzipSync(image);
  let requests = 0;
  const { server, download } = await setUp(t, (request, response) => {
    requests += 1;
    if (request.url === '/silent') response.writeHead(200).end(image);
    else response.end(request.url === '/packed' ? packed : image);
  });
  const asked: number[] = [];
  const room = async (bytes: number): Promise<void> => void asked.push(bytes);
  for (const path of ['', '/silent', '/packed'])
    t.true(image.equals(await download(`${server.url}${path}`, { room })), path);
  t.deepEqual(asked, [5_000_000, 20_000_000, 20_000_000]);
  t.is(requests, 3, 'each is asked for once');
});

// specification: image-urls-must-be
test('addresses that are not HTTPS are refused without a call', async (t) => {
  const { download } = await setUp(t, (_request, response) => response.end());
  for (const url of ['http://127.0.0.1/a.jpg', 'file:///etc/passwd', 'data:image/png;base64,AAAA', 'ftp://h/a'])
    await fails(t, download(url), { kind: 'not_https', retry: 'never' });
  await fails(t, download('not a url'), { kind: 'invalid_address', retry: 'never' });
});

test('an image announced as too large is refused before it is read', async (t) => {
  const { server, download } = await setUp(
    t,
    (_request, response) => response.writeHead(200, { 'content-length': 3_000_000 }).write('x'),
    { bytesMax: 2_000_000 },
  );
  await fails(t, download(server.url), { kind: 'too_large', number: 2, retry: 'never' });
  await server.whenIdle();
  t.is(server.connections().open, 0);
});

test('an endless answer is cut at the limit and its connection dropped', async (t) => {
  const { server, download } = await setUp(t, (_request, response) => pour(response), { bytesMax: 1_000_000 });
  await fails(t, download(server.url), { kind: 'too_large', number: 1, retry: 'never' });
  await server.whenIdle();
  t.is(server.connections().open, 0);
});

test('a dripping answer costs no more than the whole time and is dropped', async (t) => {
  const { server, download } = await setUp(t, (_request, response) => drip(response, 'GIF8', 20), { timeoutMs: 300 });
  // The dripping has no end of its own, so that this ends at all is the proof.
  await fails(t, download(server.url), { kind: 'too_slow', number: 0.3, retry: 'soon' });
  await server.whenIdle();
  t.is(server.connections().open, 0);
});

test('a download can be stopped by its caller', async (t) => {
  const caller = new AbortController();
  const { server, download } = await setUp(t, () => caller.abort());
  await fails(t, download(server.url, { signal: caller.signal }), {
    kind: 'broken',
    detail: 'download was stopped',
    retry: 'soon',
  });
});

// specification: image-urls-must-be
test('a host that refuses connections is worth another try, a wrong certificate and a private address are not', async (t) => {
  const { server, download } = await setUp(t, (_request, response) => response.end('x'));
  const stranger = await startHttps(
    (_request, response) => response.end('x'),
    await (await createAuthority('stranger')).issue(['127.0.0.1']),
  );
  t.teardown(() => stranger.close());
  await fails(t, download(stranger.url), {
    kind: 'untrusted',
    detail: 'TLS certificate not trusted: its issuer is unknown or an intermediate certificate is missing',
    retry: 'never',
  });

  const strict = createGuardedAgent({ allowPrivateNetworks: false });
  t.teardown(() => strict.destroy());
  await fails(t, createImageDownload({ agent: strict })(server.url), {
    kind: 'not_public',
    retry: 'never',
  });

  await server.close();
  await fails(t, download(server.url), { kind: 'unreachable', detail: 'connection refused', retry: 'soon' });
});

/** Sends as fast as the peer takes it, for ever. */
function pour(response: ServerResponse): void {
  const block = Buffer.alloc(64 * 1024, 'GIF8');
  const fill = (): void => {
    while (!response.destroyed && response.write(block));
  };
  response.on('drain', fill);
  fill();
}
