// A partner's image server: /<kind>/<name>, each name with bytes of its own.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { drawPhoto, photoSizes, withComment } from '../support/photos.ts';
import { serveParent, setting } from './serve-parent.ts';

const photos = new Map<string, Buffer>();
for (const size of Object.values(photoSizes)) photos.set(size.kind, await drawPhoto(size));

const tls = { key: readFileSync(setting('BENCH_TLS_KEY_FILE')), cert: readFileSync(setting('BENCH_TLS_CERT_FILE')) };
const server = createServer(tls, (request, response) => {
  const [, kind = '', name = ''] = (request.url ?? '').split('/');
  const photo = photos.get(kind);
  response.writeHead(photo === undefined ? 404 : 200, { 'content-type': 'image/jpeg' });
  response.end(photo && withComment(photo, name));
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  serveParent({ url: `https://127.0.0.1:${port}` }, {});
});
