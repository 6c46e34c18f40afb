// A partner's image server: one picture of each size, under as many addresses as are asked for, each with bytes of its own.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { photoSizes, withComment } from '../support/photos.ts';
import { serveParent, setting } from './serve-parent.ts';

const folder = setting('BENCH_PHOTO_FOLDER');
const photos = new Map<string, Buffer>(
  Object.values(photoSizes).map(({ file }) => [file, readFileSync(join(folder, file))] as const),
);
const tls = {
  key: readFileSync(setting('BENCH_TLS_KEY_FILE')),
  cert: readFileSync(setting('BENCH_TLS_CERT_FILE')),
};
const server = createServer(tls, (request, response) => {
  const [, number = '', file = ''] = (request.url ?? '').split('/');
  const photo = photos.get(file);
  if (photo === undefined) {
    response.writeHead(404).end();
    return;
  }
  const bytes = withComment(photo, number);
  response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': bytes.length }).end(bytes);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  serveParent({ url: `https://127.0.0.1:${port}` }, {});
});
