import { gzipSync } from 'node:zlib';
import type { Behaviour, Talk } from './hostile-receiver.ts';

const ok = 'HTTP/1.1 200 OK\r\n';
const mb = 1024 * 1024;
const block = Buffer.alloc(16 * 1024, 'y');
const chunk = Buffer.concat([Buffer.from(`${block.length.toString(16)}\r\n`), block, Buffer.from('\r\n')]);

/** 32 KB that become 32 MB. */
const bomb = gzipSync(Buffer.alloc(32 * mb));

/** An answer with a body of known length. */
export const answer = (status: number, body = '', headers: readonly string[] = []): string =>
  [`HTTP/1.1 ${status} Status`, `content-length: ${body.length}`, ...headers, '', body].join('\r\n');

/** On every request the same. */
const says =
  (text: string | Buffer) =>
  (talk: Talk): void =>
    talk.write(text);

/** Answers only after a time. */
export const answersAfter = (ms: number): Behaviour => ({
  onRequest: (talk) => talk.after(ms, () => talk.write(answer(200, 'late'))),
});

export const redirectsTo = (status: number, location: string): Behaviour => ({
  onRequest: says(answer(status, '', [`location: ${location}`])),
});

/** Everything a receiver can do wrong, or right in an unusual way. What it depends on from outside is a function above. */
export const hostileBehaviours = {
  'refuses the connection': { listens: false },
  'resets the connection at once': { onConnection: (tcp) => tcp.resetAndDestroy() },
  'accepts and never shakes hands': { onConnection: (tcp) => tcp.resume() },
  'speaks plain HTTP on the port': {
    onConnection: (tcp) => tcp.once('data', () => tcp.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
  },
  'speaks TLS 1.1 at most': { tls: { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } },
  'resets before the answer': { onRequest: (talk) => talk.reset() },
  'closes before the answer': { onRequest: (talk) => talk.end() },
  'resets in the body': {
    onRequest: (talk) => {
      talk.write(`${ok}content-length: 1000\r\n\r\nhalf`);
      talk.after(50, () => talk.reset());
    },
  },
  'closes in the body': { onRequest: (talk) => talk.end(`${ok}content-length: 1000\r\n\r\nhalf`) },
  'hangs before the answer': { onRequest: () => undefined },
  'hangs in the head': { onRequest: says(`${ok}content-`) },
  'hangs in the body': { onRequest: says(`${ok}content-length: 10\r\n\r\n`) },
  'drips the head': {
    onRequest: (talk) => {
      talk.write(`${ok}x-slow: `);
      talk.every(500, () => talk.write('x'));
    },
  },
  'drips the body': {
    onRequest: (talk) => {
      talk.write(`${ok}content-length: 1000\r\n\r\n`);
      talk.every(500, () => talk.write('x'));
    },
  },
  'answers 400': { onRequest: says(answer(400, 'no')) },
  'answers 410': { onRequest: says(answer(410)) },
  'answers 500': { onRequest: says(answer(500, 'oops')) },
  'answers 204': { onRequest: says('HTTP/1.1 204 No Content\r\n\r\n') },
  'sends a body of 200 MB': {
    onRequest: (talk) => {
      talk.write(`${ok}content-length: ${200 * mb}\r\n\r\n`);
      talk.pour(block, 200 * mb);
    },
  },
  'sends an endless chunked body': {
    onRequest: (talk) => {
      talk.write(`${ok}transfer-encoding: chunked\r\n\r\n`);
      talk.pour(chunk);
    },
  },
  'sends 400 and an endless body': {
    onRequest: (talk) => {
      talk.write('HTTP/1.1 400 Bad Request\r\ntransfer-encoding: chunked\r\n\r\n');
      talk.pour(chunk);
    },
  },
  'sends a gzip bomb': {
    onRequest: (talk) => {
      talk.write(`${ok}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
      talk.write(bomb);
    },
  },
  'sends one huge header': { onRequest: says(`${ok}x-huge: ${'y'.repeat(mb)}\r\n\r\n`) },
  'sends endless headers': {
    onRequest: (talk) => {
      talk.write(ok);
      talk.pour(Buffer.from('x-more: yes\r\n'.repeat(500)));
    },
  },
  'speaks another protocol': { onRequest: (talk) => talk.end('SSH-2.0-OpenSSH_9.6\r\n') },
  'gives two lengths': { onRequest: says(`${ok}content-length: 2\r\ncontent-length: 3\r\n\r\nabc`) },
  'breaks the chunking': { onRequest: says(`${ok}transfer-encoding: chunked\r\n\r\nno number\r\n`) },
  'speaks HTTP/1.0 without a length': { onRequest: (talk) => talk.end('HTTP/1.0 200 OK\r\n\r\nold and fine') },
  'sends 103 Early Hints first': {
    onRequest: says(`HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${answer(200, 'hinted')}`),
  },
  'sends 100 Continue unasked': { onRequest: says(`HTTP/1.1 100 Continue\r\n\r\n${answer(200)}`) },
  'floods with 102 Processing': {
    onRequest: (talk) => talk.pour(Buffer.from('HTTP/1.1 102 Processing\r\n\r\n'.repeat(500))),
  },
  'switches the protocol unasked': {
    onRequest: says('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'),
  },
  'answers without reading': {
    onSecure: (talk) => talk.after(50, () => talk.end(answer(200, 'unread', ['connection: close']))),
  },
  'resets each kept connection when it is used again': {
    onRequest: (talk) => {
      if (talk.onThisConnection === 1) talk.write(answer(200, 'kept'));
      else talk.reset();
    },
  },
} as const satisfies Readonly<Record<string, Behaviour>>;

export type HostileBehaviour = keyof typeof hostileBehaviours;
