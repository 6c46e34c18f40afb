import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { startImageServer } from '../../simulators/images/start-image-server.ts';
import { aFolder } from './support/certificate.ts';

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
