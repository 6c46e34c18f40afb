// A partner's image server, and one that gives out what costs more than it weighs: /<kind>/<name>, each name with bytes of its own.
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { drawPhoto, photoSizes, withComment } from '../support/photos.ts';
import { serveParent, setting } from './serve-parent.ts';

type Draw = (name: string) => Buffer;

/** With the comment a little below what is taken. */
const largestBytes = 19_900_000;
const slowBytesPerSecond = 1_024;

async function photo(jpeg: Promise<Buffer>): Promise<Draw> {
  const bytes = await jpeg;
  return (name) => withComment(bytes, name);
}

/** What a camera of 45 megapixels makes. Readers of JPEG stop at its end. */
async function largest(): Promise<Draw> {
  const bytes = await drawPhoto({ width: 8_192, height: 5_464 });
  const whole = Buffer.concat([bytes, Buffer.alloc(largestBytes - bytes.length)]);
  return (name) => withComment(whole, name);
}

/** Drawn when it is first asked for. */
const kinds: Readonly<Record<string, () => Promise<Draw>>> = {
  ...Object.fromEntries(Object.values(photoSizes).map((size) => [size.kind, () => photo(drawPhoto(size))])),
  '20mb': largest,
};
const drawn = new Map<string, Promise<Draw> | undefined>();

async function bytesOf(kind: string, name: string): Promise<Buffer | undefined> {
  if (!drawn.has(kind)) drawn.set(kind, kinds[kind]?.());
  return (await drawn.get(kind))?.(name);
}

function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write(Buffer.alloc(slowBytesPerSecond)), 1_000);
  response.once('close', () => clearInterval(timer));
}

const tls = { key: readFileSync(setting('BENCH_TLS_KEY_FILE')), cert: readFileSync(setting('BENCH_TLS_CERT_FILE')) };
const server = createServer(tls, (request, response) => {
  const [, kind = '', name = ''] = (request.url ?? '').split('/');
  if (kind === 'hangs') return;
  if (kind === 'slow') {
    drip(response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': largestBytes }));
    return;
  }
  const answer = (bytes?: Buffer): unknown =>
    response.writeHead(bytes === undefined ? 404 : 200, { 'content-type': 'image/jpeg' }).end(bytes);
  bytesOf(kind, name).then(answer, () => response.destroy());
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  serveParent({ url: `https://127.0.0.1:${port}` }, {});
});
