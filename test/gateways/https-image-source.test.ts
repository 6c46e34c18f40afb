import type { RequestListener, ServerResponse } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import {
  createHttpsImageSource,
  type HttpsImageSourceOptions,
} from '../../gateways/image-source/https-image-source.ts';
import type { ImageFailure, ImageFailureKind } from '../../core/items/image-failure.ts';
import { ImageDownloadError, type ImageSource } from '../../gateways/image-source/port.ts';
import { createGuardedAgent } from '../../platform/guarded-agent.ts';
import { createAuthority } from './support/certificates.ts';
import { drip, localCertificate, startHttps, type LocalServer } from './support/local-server.ts';

async function setUp(
  t: ExecutionContext,
  listener: RequestListener,
  options: Partial<HttpsImageSourceOptions> = {},
): Promise<{ server: LocalServer; source: ImageSource }> {
  const { authority } = await localCertificate();
  const agent = createGuardedAgent({ allowPrivateNetworks: true, authorities: authority.pem });
  const server = await startHttps(listener);
  t.teardown(async () => {
    await agent.destroy();
    await server.close();
  });
  return { server, source: createHttpsImageSource({ agent, ...options }) };
}

async function fails(
  t: ExecutionContext,
  download: Promise<Buffer>,
  expected: ImageFailure & { transient: boolean },
): Promise<void> {
  const error = await t.throwsAsync(download, { instanceOf: ImageDownloadError });
  const { transient, ...failure } = expected;
  t.deepEqual([error.failure, error.transient], [failure, transient]);
}

test('an image is downloaded byte for byte', async (t) => {
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
  const { server, source } = await setUp(t, (_request, response) => response.end(bytes));
  t.deepEqual(await source.download(`${server.url}/a.jpg`), bytes);
});

test('where there is no room an image is given up and asked for again, whatever its host does meanwhile', async (t) => {
  const image = Buffer.alloc(65_536, 7);
  let asked = 0;
  const { server, source } = await setUp(t, (_request, response) => {
    asked += 1;
    // Exactly what is read ahead, and then it hangs up: a body that waited would end this process.
    response.writeHead(200, { connection: 'close', 'content-length': image.length }).end(image);
  });
  const wait = async (bytesMax: number): Promise<Buffer> => {
    await server.whenIdle();
    return Buffer.alloc(bytesMax);
  };
  t.deepEqual(await source.download(server.url, { room: { take: () => undefined, wait } }), image);
  t.is(asked, 2);
});

test('an image whose host does not say its size is asked for again where it is larger than usual', async (t) => {
  const image = Buffer.alloc(5_000_000, 7);
  const { server, source } = await setUp(t, (_request, response) => response.writeHead(200).end(image));
  const asked: number[] = [];
  const take = (bytes: number): Buffer => {
    asked.push(bytes);
    return Buffer.alloc(bytes);
  };
  const wait = (bytes: number): Promise<Buffer> => Promise.resolve(take(bytes));
  t.true(image.equals(await source.download(server.url, { room: { take, wait } })));
  t.deepEqual(asked, [4_000_000, 20_000_000]);
});

test('an image that has grown while it waited does not pass its room', async (t) => {
  let length = 0;
  const { server, source } = await setUp(t, (_request, response) => response.end(Buffer.alloc((length += 1_000))));
  const room = { take: () => undefined, wait: (bytesMax: number) => Promise.resolve(Buffer.alloc(bytesMax)) };
  await fails(t, source.download(server.url, { room }), {
    ...({ kind: 'broken', detail: 'the image became larger' } as const),
    transient: true,
  });
});

test('an answer that is no image says its status, and whether trying again may help', async (t) => {
  const { server, source } = await setUp(t, (request, response) =>
    response.writeHead(Number(request.url?.slice(1)), { location: '/200' }).end('x'),
  );
  const kinds = {
    http_error: [400, 418],
    no_access: [401, 403],
    not_found: [404, 410],
    server_fault: [408, 500, 502, 503],
    too_many_requests: [429],
  } as const;
  for (const [kind, statuses] of Object.entries(kinds) as [ImageFailureKind, readonly number[]][])
    for (const status of statuses)
      await fails(t, source.download(`${server.url}/${status}`), {
        ...{ kind, number: status },
        transient: status === 408 || status === 429 || status >= 500,
      });
  for (const status of [301, 302, 307, 308])
    await fails(t, source.download(`${server.url}/${status}`), {
      ...({ kind: 'redirect', number: status } as const),
      transient: false,
    });
  await fails(t, source.download(`${server.url}/206`), {
    ...({ kind: 'incomplete', number: 206 } as const),
    transient: false,
  });
});

// specification: image-urls-must-be
test('addresses that are not HTTPS are refused without a call', async (t) => {
  const { source } = await setUp(t, (_request, response) => response.end());
  for (const url of ['http://127.0.0.1/a.jpg', 'file:///etc/passwd', 'data:image/png;base64,AAAA', 'ftp://h/a'])
    await fails(t, source.download(url), { kind: 'not_https', transient: false });
  await fails(t, source.download('not a url'), { kind: 'invalid_address', transient: false });
});

test('an image announced as too large is refused before it is read', async (t) => {
  const { server, source } = await setUp(
    t,
    (_request, response) => response.writeHead(200, { 'content-length': 3_000_000 }).write('x'),
    { bytesMax: 2_000_000 },
  );
  await fails(t, source.download(server.url), { kind: 'too_large', number: 2, transient: false });
  await server.whenIdle();
  t.is(server.connections().open, 0);
});

test('an endless answer is cut at the limit and its connection dropped', async (t) => {
  const { server, source } = await setUp(t, (_request, response) => pour(response), { bytesMax: 1_000_000 });
  await fails(t, source.download(server.url), { kind: 'too_large', number: 1, transient: false });
  await server.whenIdle();
  t.is(server.connections().open, 0);
});

test('a dripping answer costs no more than the whole time and is dropped', async (t) => {
  const { server, source } = await setUp(t, (_request, response) => drip(response, 'x', 20), { timeoutMs: 300 });
  // The dripping has no end of its own, so that this ends at all is the proof.
  await fails(t, source.download(server.url), { kind: 'too_slow', number: 0.3, transient: true });
  await server.whenIdle();
  t.is(server.connections().open, 0);
});

test('a download can be stopped by its caller', async (t) => {
  const caller = new AbortController();
  const { server, source } = await setUp(t, () => caller.abort());
  await fails(t, source.download(server.url, { signal: caller.signal }), {
    kind: 'broken',
    detail: 'download was stopped',
    transient: true,
  });
});

test('an empty answer is no image, and a broken one is worth another try', async (t) => {
  const { server, source } = await setUp(t, (request, response) => {
    if (request.url === '/empty') response.end();
    else breakOff(response);
  });
  await fails(t, source.download(`${server.url}/empty`), { kind: 'empty', transient: false });
  await fails(t, source.download(`${server.url}/broken`), {
    kind: 'broken',
    detail: 'connection was closed before the answer was complete',
    transient: true,
  });
});

// specification: image-urls-must-be
test('a host that refuses connections is worth another try, a wrong certificate and a private address are not', async (t) => {
  const { server, source } = await setUp(t, (_request, response) => response.end('x'));
  const stranger = await startHttps(
    (_request, response) => response.end('x'),
    await (await createAuthority('stranger')).issue(['127.0.0.1']),
  );
  t.teardown(() => stranger.close());
  await fails(t, source.download(stranger.url), {
    kind: 'untrusted',
    detail: 'TLS certificate not trusted: its issuer is unknown or an intermediate certificate is missing',
    transient: false,
  });

  const strict = createGuardedAgent({ allowPrivateNetworks: false });
  t.teardown(() => strict.destroy());
  await fails(t, createHttpsImageSource({ agent: strict }).download(server.url), {
    kind: 'not_public',
    transient: false,
  });

  await server.close();
  await fails(t, source.download(server.url), { kind: 'unreachable', detail: 'connection refused', transient: true });
});

function breakOff(response: ServerResponse): void {
  response.writeHead(200, { 'content-length': 100 }).write('half');
  setImmediate(() => response.destroy());
}

/** Sends as fast as the peer takes it, for ever. */
function pour(response: ServerResponse): void {
  const block = Buffer.alloc(64 * 1024, 1);
  const fill = (): void => {
    while (!response.destroyed && response.write(block));
  };
  response.on('drain', fill);
  fill();
}
