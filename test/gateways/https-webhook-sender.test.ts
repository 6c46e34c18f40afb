import type { IncomingMessage } from 'node:http';
import test from 'ava';
import { createAuthority } from './support/certificates.ts';
import { bodyOf, localCertificate, startHttps } from './support/local-server.ts';
import { failureOf, senderTo } from './support/sender-to.ts';
import { present } from '../support/clock.ts';

test('the exact bytes are posted with the given headers', async (t) => {
  let seen: unknown;
  const record = async (request: IncomingMessage): Promise<void> => {
    const { method, url, headers } = request;
    const body = (await bodyOf(request)).toString();
    const { 'content-type': type, 'content-length': length, 'user-agent': agent } = headers;
    seen = { method, url, body, type, length, agent, signature: headers['x-service-signature'] };
  };
  const { send } = await senderTo(t, (request, response) => {
    record(request).then(
      () => response.end('thanks'),
      () => response.destroy(),
    );
  });
  t.like(await send('/hook?a=1'), { kind: 'succeeded', httpStatus: 200, responseStart: 'thanks' });
  t.deepEqual(seen, {
    method: 'POST',
    url: '/hook?a=1',
    body: '{"ä":1}',
    type: 'application/json',
    length: '8',
    agent: 'itembridge-webhooks/1',
    signature: 'sha256=00',
  });
});

test('an endless 2xx body is success; 1 KB is kept and the connection dropped', async (t) => {
  let sent = 0;
  const block = Buffer.alloc(16 * 1024, 'y');
  const { send, server } = await senderTo(t, (_request, response) => {
    const pour = (): void => {
      while (!response.destroyed && response.write(block)) sent += block.length;
    };
    response.on('drain', pour);
    pour();
  });
  const outcome = await send();
  t.like(outcome, { kind: 'succeeded', httpStatus: 200, responseStart: 'y'.repeat(1024) });
  await server.whenIdle();
  t.true(sent < 20_000_000);
});

test('the answer is kept as text even when it is none, and no character is cut in two', async (t) => {
  const { send } = await senderTo(t, (request, response) =>
    response.writeHead(500).end(request.url === '/binary' ? Buffer.from([0xff, 0x41]) : `${'a'.repeat(1023)}å`),
  );
  t.is((await send('/binary')).responseStart, '\ufffdA');
  t.is((await send('/text')).responseStart, 'a'.repeat(1023));
});

test('small answers leave their connection to later deliveries', async (t) => {
  const { send, server } = await senderTo(t, (_request, response) => response.end('ok'));
  for (let i = 0; i < 10; i += 1) t.is((await send()).kind, 'succeeded');
  t.true(server.connections().accepted <= 2, `${server.connections().accepted}`);
});

test('what went wrong on the network is told in plain words', async (t) => {
  const { sender, server, send } = await senderTo(t, (request) => request.socket.end('SSH-2.0-OpenSSH\r\n\r\n'));
  const errorAt = async (url: string): Promise<string> =>
    failureOf(await sender.send({ url, body: Buffer.from('{}'), headers: {} }));
  const { authority } = await localCertificate();
  const expired = await startHttps(
    (_request, response) => response.end(),
    await authority.issue(['127.0.0.1'], { notAfter: present(-1000) }),
  );
  const stranger = await startHttps(
    (_request, response) => response.end(),
    await (await createAuthority('stranger')).issue(['127.0.0.1']),
  );
  t.teardown(() => Promise.all([expired.close(), stranger.close()]));
  t.is(failureOf(await send()), 'answer is not valid HTTP: Expected HTTP/, RTSP/ or ICE/');
  t.is(await errorAt(expired.url), 'TLS certificate not trusted: it has expired');
  t.is(
    await errorAt(stranger.url),
    'TLS certificate not trusted: its issuer is unknown or an intermediate certificate is missing',
  );
  t.is(await errorAt(`http://127.0.0.1:${server.port}/`), 'only HTTPS is allowed');
  t.is(await errorAt('https://169.254.169.254/latest/meta-data'), 'address is not public');
  t.is(await errorAt('not a url'), 'not a valid address');
  await server.close();
  t.is(failureOf(await send()), 'connection refused');
});
