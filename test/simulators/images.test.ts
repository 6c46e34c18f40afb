import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { startImageServer } from '../../simulators/images/start-image-server.ts';
import { call } from './support/call.ts';
import { aCertificate, aFolder } from './support/certificate.ts';
import { jpeg } from './support/seller.ts';

test('serves the files of its folder over HTTPS with the right type, and its admin routes beside them', async (t) => {
  const { tls, dispatcher } = await aCertificate(t);
  const folder = aFolder(t);
  mkdirSync(join(folder, 'sub'));
  for (const name of ['a.jpg', 'b.png', 'sub/c.webp']) writeFileSync(join(folder, name), jpeg);
  const server = await startImageServer({ tls, folder });
  t.teardown(() => server.close());
  const get = (path: string) => call('GET', `${server.url}${path}`, { dispatcher });
  t.is((await get('/a.jpg')).headers['content-type'], 'image/jpeg');
  t.is((await get('/b.png')).headers['content-type'], 'image/png');
  t.is((await get('/sub/c.webp')).headers['content-type'], 'image/webp');
  t.is((await get('/a.jpg')).headers['content-length'], String(jpeg.length));
  t.is((await get('/none.jpg')).status, 404);
  t.is((await get('/')).status, 404);
  t.is((await get('/sub')).status, 404);
  const body = { mode: 'drop-after', path: 'a[.]jpg', times: 1 };
  t.is((await call('POST', `${server.adminUrl}/faults`, { body, dispatcher })).status, 201);
  await t.throwsAsync(get('/a.jpg'), { code: 'UND_ERR_SOCKET' });
  t.is((await get('/a.jpg')).status, 200);
});

test('a path out of the folder is not found', async (t) => {
  const folder = aFolder(t);
  mkdirSync(join(folder, 'public'));
  writeFileSync(join(folder, 'secret.jpg'), 'secret');
  writeFileSync(join(folder, 'public', '.hidden.jpg'), 'secret');
  const server = await startImageServer({ folder: join(folder, 'public') });
  t.teardown(() => server.close());
  // By hand: every client tidies such a path up before it is sent.
  for (const path of ['/../secret.jpg', '/%2e%2e/secret.jpg', '/..%2fsecret.jpg', '/.hidden.jpg', '/%00']) {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.end(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    const answer = await text(socket);
    t.regex(answer, /^HTTP\/1.1 40[0-4] /, path);
    t.notRegex(answer, /secret$/);
  }
});
