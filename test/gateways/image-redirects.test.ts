import type { IncomingMessage, ServerResponse } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import { describeImageFailure } from '../../features/images/rules/image-failure.ts';
import { createImageDownload } from '../../gateways/image-process/download-image.ts';
import { UnusableImage } from '../../gateways/image-process/port.ts';
import { createGuardedAgent } from '../../platform/guarded-agent.ts';
import { localCertificate, startHttp, startHttps } from './support/local-server.ts';

const picture = Buffer.from('GIF89a and what a picture needs');

/** A host whose every path but `/picture` answers as it says itself: `/302?to=…` redirects there. */
async function aHost(t: ExecutionContext, answer = redirectAsAsked) {
  const { authority } = await localCertificate();
  const seen: string[] = [];
  const server = await startHttps((request, response) => {
    seen.push(request.url ?? '');
    if (request.url?.startsWith('/picture') === true) response.end(picture);
    else answer(request, response);
  });
  const agent = createGuardedAgent({
    allowPrivateNetworks: true,
    authorities: authority.pem,
    resolveAll: (name, done) =>
      done(null, [{ address: name === 'partner.example' ? '127.0.0.1' : '169.254.169.254', family: 4 }]),
  });
  t.teardown(async () => {
    await agent.destroy();
    await server.close();
  });
  const download = createImageDownload({ agent, timeoutMs: 60_000 });
  const outcomeOf = async (path: string): Promise<string> => {
    try {
      return (await download(server.url + path)).toString() === picture.toString() ? 'taken' : 'other bytes';
    } catch (error) {
      if (!(error instanceof UnusableImage)) throw error;
      return `${error.retry}: ${describeImageFailure(error.failure)}`;
    }
  };
  return { server, seen, outcomeOf };
}

function redirectAsAsked({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(url, 'https://host');
  const to = searchParams.get('to');
  response.writeHead(Number(pathname.slice(1)), to === null ? {} : { location: to }).end('moved');
}

const via = (status: number, to: string): string => `/${status}?to=${encodeURIComponent(to)}`;
const unusable = (status: number, why: string): string =>
  `never: the address leads to another one that cannot be used: send the final address (HTTP ${status}, ${why})`;

test('a redirect is followed, whatever its status and however its target is written', async (t) => {
  const { server, outcomeOf } = await aHost(t);
  const targets = [
    ...['/picture', 'picture', './a/../picture', '/picture?size=large&sign=a%2Fb', '/picture#part', ' /picture '],
    ...[
      `${server.url}/picture`,
      `https://partner.example:${server.port}/picture`,
      `//127.0.0.1:${server.port}/picture`,
    ],
    ...[`HTTPS://127.0.0.1:${server.port}/picture`, `https://user:word@127.0.0.1:${server.port}/picture`],
  ];
  for (const to of targets) t.is(await outcomeOf(via(302, to)), 'taken', to);
  for (const status of [301, 302, 303, 307, 308]) t.is(await outcomeOf(via(status, '/picture')), 'taken', `${status}`);
});

test('three redirects are followed and no fourth, and a circle ends there', async (t) => {
  const { outcomeOf } = await aHost(t);
  const path = (hops: number): string => Array.from({ length: hops }).reduce<string>((to) => via(307, to), '/picture');
  t.is(await outcomeOf(path(3)), 'taken');
  t.is(await outcomeOf(path(4)), unusable(307, 'more than 3 times'));
  const circle = await aHost(t, (_request, response) => response.writeHead(302, { location: '/again' }).end());
  t.is(await circle.outcomeOf('/again'), unusable(302, 'more than 3 times'));
  t.is(circle.seen.length, 4);
});

test('each redirect goes to HTTPS and through the guard of addresses', async (t) => {
  const { outcomeOf } = await aHost(t);
  const plain = await startHttp((_request, response) => response.end(picture));
  t.teardown(() => plain.close());
  const withoutTls = unusable(302, 'to an address without HTTPS');
  for (const to of [`${plain.url}/picture`, 'http://partner.example/', 'ftp://partner.example/a', 'file:///etc/passwd'])
    t.is(await outcomeOf(via(302, to)), withoutTls, to);
  t.is(await outcomeOf(via(302, 'data:image/gif;base64,R0lGODlh')), withoutTls);
  t.is(plain.connections().accepted, 0);
  const notPublic = 'never: the address is not public';
  for (const host of ['169.254.169.254', '[fe80::1]', '0.0.0.0', 'metadata.example', '[::ffff:169.254.169.254]'])
    for (const hops of [(to: string) => via(301, to), (to: string) => via(307, via(308, to))])
      t.is(await outcomeOf(hops(`https://${host}/picture`)), notPublic, host);
});

test('a redirect that says no usable address is refused', async (t) => {
  const { outcomeOf } = await aHost(t);
  t.is(await outcomeOf('/302'), unusable(302, 'without saying where to'));
  t.is(await outcomeOf(via(301, 'https://')), unusable(301, 'to an address that is not valid'));
  t.is(await outcomeOf(via(308, 'https://[::1/picture')), unusable(308, 'to an address that is not valid'));
  const two = await aHost(t, (_request, response) =>
    response.writeHead(302, ['location', '/picture', 'location', '/other']).end(),
  );
  t.is(await two.outcomeOf('/a'), unusable(302, 'without saying where to'));
});

test('what the last address answers counts, and a target may be written in UTF-8', async (t) => {
  const { outcomeOf } = await aHost(t);
  t.is(await outcomeOf(via(302, '/404')), 'later: there is no image at this address (HTTP 404)');
  t.is(
    await outcomeOf(via(302, '/503')),
    'soon: the image server has a fault: send the item again when it works (HTTP 503)',
  );
  const swedish = await aHost(t, (_request, response) => {
    response.socket?.end('HTTP/1.1 302 Found\r\nlocation: /picture/bl\u00e5.jpg\r\ncontent-length: 0\r\n\r\n');
  });
  t.is(await swedish.outcomeOf('/a'), 'taken');
  t.is(swedish.seen.at(-1), '/picture/bl%C3%A5.jpg');
});

test('all redirects together have the time of one image', async (t) => {
  const { authority } = await localCertificate();
  const agent = createGuardedAgent({ allowPrivateNetworks: true, authorities: authority.pem });
  const server = await startHttps((request, response) => {
    if (request.url === '/hangs') return;
    response.writeHead(302, { location: '/hangs' }).end();
  });
  t.teardown(async () => {
    await agent.destroy();
    await server.close();
  });
  const download = createImageDownload({ agent, timeoutMs: 300 })(`${server.url}/a`);
  const error = await t.throwsAsync(download, { instanceOf: UnusableImage });
  t.deepEqual(error.failure, { kind: 'too_slow', number: 0.3 });
  await server.whenIdle();
});
