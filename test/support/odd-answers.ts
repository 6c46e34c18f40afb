import type { Behaviour } from './hostile-receiver.ts';

/** What servers send on the wire, soundly or not. `body` is what a sound one means, as latin1. */
export function oddAnswers(body: string) {
  const length = `content-length: ${body.length}`;
  const chunked = 'transfer-encoding: chunked';
  const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  const whole = ok([length], body);
  const interim = (...statuses: readonly string[]): string => statuses.map((status) => head(status)).join('');
  return {
    'a length': says(whole),
    'no length and the end of the connection': closes(ok([], body)),
    'no length and no end': says(ok([], body)),
    'a length of nothing': says(ok(['content-length: 0'])),
    'a length and nothing more, then the end': closes(ok([length])),
    'a length and half of it, then the end': closes(ok([length], body.slice(0, -1))),
    'a length and half of it, Connection: close, then the end': closes(
      ok([length, 'connection: close'], body.slice(0, 1)),
    ),
    'a length and half of it, then a reset': resets(ok([length], body.slice(0, -1))),
    'a length and half of it, then nothing': says(ok([length], body.slice(0, -1))),
    'a length and more than it': says(`${whole}more`),
    'a length that is no number': closes(ok(['content-length: many'], body)),
    'a length with a sign': closes(ok([`content-length: +${body.length}`], body)),
    'a length below zero': closes(ok(['content-length: -1'], body)),
    'an empty length': closes(ok(['content-length:'], body)),
    'a length beyond all numbers': closes(ok(['content-length: 99999999999999999999999'], body)),
    'the same length twice': says(ok([length, length], body)),
    'the same length twice on one line': says(ok([`${length}, ${body.length}`], body)),
    'two lengths': says(ok([length, 'content-length: 7'], body)),
    'a length, then chunked': says(ok([length, chunked], chunks)),
    'chunked, then a length': says(ok([chunked, length], chunks)),
    'identity and a length': says(ok(['transfer-encoding: identity', length], body)),
    chunks: says(ok([chunked], chunks)),
    'chunks with a trailer': says(ok([chunked], chunks.replace(/\r\n$/, 'x-sum: 1\r\n\r\n'))),
    'chunks with an extension': says(ok([chunked], chunks.replace('\r\n', ';a=b\r\n'))),
    'chunks in capitals': says(ok(['Transfer-Encoding: CHUNKED'], chunks)),
    'chunks without the last, then the end': closes(ok([chunked], chunks.slice(0, -5))),
    'chunks without the last line, then the end': closes(ok([chunked], chunks.slice(0, -2))),
    'chunks without a number': says(ok([chunked], `size\r\n${body}`)),
    'chunks by HTTP/1.0': closes(ok([chunked], chunks).replace('1.1', '1.0')),
    'gzip as transfer coding, then the end': closes(ok(['transfer-encoding: gzip'], body)),
    'HTTP/1.0 and the end': closes(ok([], body).replace('1.1', '1.0')),
    'HTTP/1.0, a length and Keep-Alive': says(ok(['connection: keep-alive', length], body).replace('1.1', '1.0')),
    'HTTP/1.2': says(whole.replace('1.1', '1.2')),
    'HTTP/2 in text': says(whole.replace('1.1', '2.0')),
    'a body without a head, then the end': closes(body),
    'the head of SHOUTcast': closes(whole.replace('HTTP/1.1', 'ICY')),
    'the banner of SSH': closes('SSH-2.0-OpenSSH_9.6\r\n'),
    'lines without CR': says(whole.replaceAll('\r', '')),
    'an empty line first': says(`\r\n${whole}`),
    'no reason': says(whole.replace(' OK', '')),
    'a status of two digits': says(whole.replace('200 OK', '20 OK')),
    'a status of four digits': says(whole.replace('200 OK', '2000 OK')),
    'a status below 100': says(whole.replace('200 OK', '099 OK')),
    'a status above 599': says(whole.replace('200 OK', '799 OK')),
    'a header without a colon': says(ok(['nonsense', length], body)),
    'a header without a colon after the length': says(ok([length, 'nonsense'], body)),
    'a blank before a colon': says(ok([length.replace(':', ' :')], body)),
    'a header on two lines': says(ok(['x-long: one\r\n two', length], body)),
    'a NUL in a header': says(ok(['x-nul: \0', length], body)),
    'UTF-8 in a header': says(ok(['x-name: \u00c3\u00a5', length], body)),
    'a second answer behind': says(`${whole}${head('500 Error', 'content-length: 0')}`),
    'the end before the answer': closes(''),
    'a reset before the answer': resets(''),
    'half a head, then the end': closes(whole.slice(0, 20)),
    'half a head, then nothing': says(whole.slice(0, 20)),
    'the whole answer, then a reset': resets(ok([length, 'connection: close'], body)),
    '100 first': says(interim('100 Continue') + whole),
    '100 with a length first': says(head('100', 'content-length: 0', 'connection: keep-alive') + whole),
    '100 twice': says(interim('100 Continue', '100 Continue') + whole),
    '100, 103, 100': says(interim('100 Continue', '103 Early Hints', '100 Continue') + whole),
    '100 by HTTP/1.0': says(interim('100 Continue').replace('1.1', '1.0') + whole),
    '100 and the answer byte by byte': dripsHead(interim('100 Continue') + whole),
    '100 and nothing more': says(interim('100 Continue')),
    '100, then the end': closes(interim('100 Continue')),
    '100, then 500': says(interim('100 Continue') + head('500 Error', 'content-length: 0')),
    '100 thirty times': says(interim(...Array.from({ length: 30 }, () => '100 Continue')) + whole),
    '100 with endless headers': says(`HTTP/1.1 100 Continue\r\nx-long: ${'y'.repeat(100_000)}`),
    '102 first': says(interim('102 Processing') + whole),
    '103 with a length first': says(head('103 Early Hints', length) + whole),
    '103, then the end': closes(interim('103 Early Hints')),
    '102 thirty times': says(interim(...Array.from({ length: 30 }, () => '102 Processing')) + whole),
    '199 first': says(interim('199 Odd') + whole),
    '101 without a protocol': says(interim('101 Switching Protocols') + whole),
    '101 to another protocol': says(head('101 Switching Protocols', 'connection: upgrade', 'upgrade: websocket')),
    'another protocol offered': says(ok(['connection: upgrade', 'upgrade: h2c', length], body)),
  } as const satisfies Readonly<Record<string, Behaviour>>;
}

/** The end of a handshake: what the server says to the client's first words. */
export const oddHandshakes = {
  'the connection closed': { onConnection: (tcp) => tcp.once('data', () => tcp.end()) },
  'the connection reset': { onConnection: (tcp) => tcp.once('data', () => tcp.resetAndDestroy()) },
  'plain HTTP': { onConnection: (tcp) => tcp.once('data', () => tcp.end(head('400 Bad Request'))) },
  'half a hello': { onConnection: (tcp) => tcp.once('data', () => tcp.end(Buffer.from([22, 3, 3, 0, 50, 2]))) },
  'TLS 1.1 at most': { tls: { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } },
  'no cipher in common': { tls: { ciphers: 'AES128-SHA', maxVersion: 'TLSv1.2' } },
  'HTTP/2 only': alerts(120),
  'another name': alerts(112),
  'a handshake failure': alerts(40),
} as const satisfies Readonly<Record<string, Behaviour>>;

/** A status line and headers; the status with its reason. */
export const head = (status: string, ...headers: readonly string[]): string =>
  [`HTTP/1.1 ${status}`, ...headers, '', ''].join('\r\n');

const ok = (headers: readonly string[], body = ''): string => head('200 OK', ...headers) + body;

/** Sends the text, and leaves the connection open. */
export const says = (text: string): Behaviour => ({ onRequest: (talk) => talk.write(Buffer.from(text, 'latin1')) });

/** Sends the text, then closes the connection. */
export const closes = (text: string): Behaviour => ({ onRequest: (talk) => talk.end(Buffer.from(text, 'latin1')) });

const resets = (text: string): Behaviour => ({
  onRequest: (talk) => {
    if (text !== '') talk.write(Buffer.from(text, 'latin1'));
    talk.after(50, () => talk.reset());
  },
});

/** The first hundred bytes one by one, each in a TLS record of its own. */
const dripsHead = (text: string): Behaviour => ({
  onRequest: (talk) => {
    const bytes = Buffer.from(text, 'latin1');
    for (const byte of bytes.subarray(0, 100)) talk.write(Buffer.from([byte]));
    talk.write(bytes.subarray(100));
  },
});

/** A fatal alert of TLS. */
function alerts(code: number): Behaviour {
  return { onConnection: (tcp) => tcp.once('data', () => tcp.end(Buffer.from([21, 3, 3, 0, 2, 2, code]))) };
}
