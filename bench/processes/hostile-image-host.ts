// A partner's image server that means no good: pictures that cost far more than they weigh, each address with bytes of its own.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { box, drawing, heifBrands } from '../../verification/fuzz/images/heif-shapes.ts';
import { withComment } from '../support/photos.ts';
import { serveParent, setting } from './serve-parent.ts';

const picture = (sidePx: number) =>
  sharp({ create: { width: sidePx, height: sidePx, channels: 3, background: '#123456' } });
const avifOf = (sidePx: number): Promise<Buffer> => picture(sidePx).avif({ effort: 0, quality: 10 }).toBuffer();
/** Readers of AVIF skip a box of this kind. */
const withName = (avif: Buffer, name: string): Buffer => Buffer.concat([avif, box('free', Buffer.from(name))]);

const polyglot = (name: string): Buffer =>
  Buffer.from(`<!--ftyp${heifBrands[Number(name.at(-1)) % heifBrands.length] ?? ''}-->${drawing}<!-- ${name} -->`);

const photo = await picture(800).jpeg().toBuffer();
const [beyondBound, atBound] = [await avifOf(7_071), await avifOf(5_000)];
const bytesOf: Readonly<Record<string, (name: string) => Buffer>> = {
  photo: (name) => withComment(photo, name),
  polyglot,
  'avif-7071': (name) => withName(beyondBound, name),
  'avif-5000': (name) => withName(atBound, name),
};

const tls = { key: readFileSync(setting('BENCH_TLS_KEY_FILE')), cert: readFileSync(setting('BENCH_TLS_CERT_FILE')) };
const server = createServer(tls, (request, response) => {
  const [, kind = '', name = ''] = (request.url ?? '').split('/');
  const bytes = bytesOf[kind]?.(name);
  response.writeHead(bytes === undefined ? 404 : 200, { 'content-type': 'image/avif' }).end(bytes);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  serveParent({ url: `https://localhost:${port}` }, {});
});
