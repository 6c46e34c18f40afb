import { gzipSync } from 'node:zlib';
import type { TLSSocket } from 'node:tls';
import { soundImages, type HostileImage } from './hostile-images.ts';
import { file, type ImageAnswer } from './image-host.ts';

const kind = 'hostile image hosts';
const head = (...lines: readonly string[]): string =>
  `${['HTTP/1.1 200 OK', 'Content-Type: image/jpeg', ...lines].join('\r\n')}\r\n\r\n`;
const block = Buffer.alloc(65_536, 0xff);

/** A sound picture, told in every way that is not sound. */
export async function hostileAnswers(): Promise<HostileImage[]> {
  const { jpeg = Buffer.alloc(0) } = await soundImages();
  const status = (line: string, ...lines: readonly string[]): Buffer =>
    Buffer.from(`HTTP/1.1 ${line}\r\n${['Content-Length: 0', ...lines].join('\r\n')}\r\n\r\n`);
  const answers: Readonly<Record<string, ImageAnswer>> = {
    'a redirect to the metadata of the cloud': status(
      '302 Found',
      'Location: http://169.254.169.254/latest/meta-data/',
    ),
    'a redirect to a file': status('301 Moved Permanently', 'Location: file:///etc/passwd'),
    '404': status('404 Not Found'),
    '204': Buffer.from('HTTP/1.1 204 No Content\r\n\r\n'),
    '206, a part': Buffer.concat([
      Buffer.from(`HTTP/1.1 206 Partial Content\r\nContent-Length: ${jpeg.length}\r\n\r\n`),
      jpeg,
    ]),
    '500, again and again': status('500 Oops'),
    'an endless picture': (socket) => pour(socket, head('Transfer-Encoding: chunked'), chunkOf(block)),
    'an endless picture until the connection ends': (socket) => pour(socket, head('Connection: close'), block),
    'a length of 1 TB': (socket) => pour(socket, head('Content-Length: 1000000000000'), block),
    'endless headers': (socket) => pour(socket, 'HTTP/1.1 200 OK\r\n', Buffer.from('X-More: yes\r\n'.repeat(500))),
    'one header of 1 MB': Buffer.from(`HTTP/1.1 200 OK\r\nX: ${'y'.repeat(1024 ** 2)}\r\n\r\n`),
    'a byte every half second': (socket) => drip(socket, head(`Content-Length: ${jpeg.length}`), jpeg),
    'a head that never ends': (socket) => drip(socket, 'HTTP/1.1 200 OK\r\nX: ', Buffer.alloc(1_000, 'y')),
    'nothing at all': () => undefined,
    'a reset': (socket) => socket.destroy(),
    'a length that is too long': file(jpeg, { 'Content-Length': String(jpeg.length + 100) }),
    'a length that is too short': file(jpeg, { 'Content-Length': String(jpeg.length - 200), Connection: 'keep-alive' }),
    'two lengths': Buffer.concat([Buffer.from(head('Content-Length: 5', `Content-Length: ${jpeg.length}`)), jpeg]),
    'broken chunks': Buffer.from(`${head('Transfer-Encoding: chunked')}zz\r\n`),
    'a bomb of 1 GB, packed': file(bomb(), { 'Content-Encoding': 'gzip' }),
    'no HTTP': Buffer.from('SSH-2.0-OpenSSH_9.6\r\n'),
    'another protocol, unasked': Buffer.from(
      'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n',
    ),
  };
  const failing = Object.entries(answers).map(([name, answer]) => ({ kind, name, answer, outcome: 'failed' }) as const);
  return [
    ...failing,
    {
      kind,
      name: 'packed as it was not asked',
      answer: file(gzipSync(jpeg), { 'Content-Encoding': 'gzip' }),
      outcome: 'hosted',
      size: '200x120',
    },
    {
      kind,
      name: 'a picture called HTML',
      answer: file(jpeg, { 'Content-Type': 'text/html' }),
      outcome: 'hosted',
      size: '200x120',
    },
    {
      kind,
      name: 'a picture without a type',
      answer: file(jpeg, { 'Content-Type': '' }),
      outcome: 'hosted',
      size: '200x120',
    },
  ];
}

const chunkOf = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);

/** As fast as the other side reads, until it has gone. */
function pour(socket: TLSSocket, first: string, bytes: Buffer): void {
  socket.write(first);
  const on = (): void => {
    while (!socket.destroyed && socket.write(bytes));
  };
  socket.on('drain', on);
  on();
}

function drip(socket: TLSSocket, first: string, bytes: Buffer): void {
  socket.write(first);
  let at = 0;
  const timer = setInterval(() => {
    if (!socket.destroyed) socket.write(bytes.subarray(at, at + 1));
    at += 1;
  }, 500);
  socket.on('close', () => clearInterval(timer));
}

/** 1 GB in 1 MB: one file after the other in the same stream. */
function bomb(): Buffer {
  const part = gzipSync(Buffer.alloc(64 * 1024 ** 2));
  return Buffer.concat(Array.from({ length: 16 }, () => part));
}
