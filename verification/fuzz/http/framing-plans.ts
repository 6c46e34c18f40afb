import type { Socket } from 'node:net';
import { pour } from '../support/raw-call.ts';
import type { BodyOperation } from './body-operations.ts';
import { requestBytes, type Input, type Plan } from './input.ts';
import { writeJsonText } from './json-text.ts';

const crlf = '\r\n';
const head = (lines: readonly string[]): string => `${lines.join(crlf)}${crlf}${crlf}`;

/** Bytes that may be no HTTP at all. Whatever is answered must be answered once, and nothing behind it be taken for a second request. */
const broken = (bytes: string | Buffer, answersMax = 1): Input => ({
  wire: Buffer.from(bytes),
  expected: { method: 'GET', path: '/', mayClose: true, answersMax },
  options: { quietMs: 400, timeoutMs: 100_000 },
});

/** What a request smuggler would hide behind another request; it has an answer that everybody can see. */
const hidden = head(['GET /healthz HTTP/1.1', 'Host: hidden.test']);

/** Heads and lengths over which two servers in a row might disagree, and what is no HTTP. */
export function smugglingPlans(): Plan[] {
  return Object.entries(ambiguous).map(([name, bytes]) => ({
    kind: 'ambiguous requests',
    name,
    make: () => {
      const input = broken(bytes);
      // Two servers in a row would choose by different ones.
      return name === 'two Hosts' || name === 'no Host'
        ? { ...input, expected: { ...input.expected, statuses: [400] } }
        : input;
    },
  }));
}

const post = 'POST /categories/convert HTTP/1.1';
const host = 'Host: fuzz.test';
const json = 'Content-Type: application/json';
const chunkedHidden = `0${crlf}${crlf}${hidden}`;

const transferEncodings: readonly string[] = [
  ...[': xchunked', ' : chunked', ':\tchunked', ': identity', ': chunked, identity', ': gzip, chunked', ': "chunked"'],
  ...[': chunked\r\nTransfer-Encoding: identity', ':\r\n chunked', ': chun\0ked', ': \x0bchunked'],
]
  .map((rest) => `Transfer-Encoding${rest}`)
  .concat('Transfer_Encoding: chunked', 'X: x\nTransfer-Encoding: chunked', ' Transfer-Encoding: chunked');

const ambiguous: Readonly<Record<string, string | Buffer>> = {
  'a length and chunks': head([post, host, json, 'Content-Length: 5', 'Transfer-Encoding: chunked']) + chunkedHidden,
  'chunks and a length': head([post, host, json, 'Transfer-Encoding: chunked', 'Content-Length: 5']) + chunkedHidden,
  'two lengths': head([post, host, json, 'Content-Length: 2', `Content-Length: ${2 + hidden.length}`]) + `{}${hidden}`,
  'two lengths in one': head([post, host, json, `Content-Length: 2, ${2 + hidden.length}`]) + `{}${hidden}`,
  ...Object.fromEntries(
    transferEncodings.map((line) => [
      JSON.stringify(line),
      head([post, host, json, `Content-Length: ${chunkedHidden.length}`, line]) + chunkedHidden,
    ]),
  ),
  ...Object.fromEntries(
    ['-1', '+5', '0x5', '5e0', '5 5', '٥', '5;', '', '99999999999999999999', '1.0', '5\0'].map((length) => [
      `Content-Length: ${JSON.stringify(length)}`,
      head([post, host, json, `Content-Length: ${length}`]) + `{}   ${hidden}`,
    ]),
  ),
  'bare line feeds': `${post}\n${host}\nContent-Length: 2\n\n{}`,
  'bare carriage returns': `${post}\r${host}\r\r{}`,
  'a folded header': head([post, host, 'X-Long: a', ' b', 'Content-Length: 0']),
  'a header without a name': head([post, host, ': value', 'Content-Length: 0']),
  'a header without a colon': head([post, host, 'no colon here']),
  'a NUL in a header': head([post, host, 'X: a\0b']),
  'an odd character in a name': head([post, host, 'X(Y): a']),
  'line feed in a value': head([post, host, 'X: a\nY: b']),
  'no version': `GET /healthz${crlf}${crlf}`,
  'HTTP/0.9': `GET /healthz HTTP/0.9${crlf}${crlf}`,
  'HTTP/1.2': head(['GET /healthz HTTP/1.2', host]),
  'HTTP/9.9': head(['GET /healthz HTTP/9.9', host]),
  'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0',
  'a TLS handshake': Buffer.from('16030100a5010000a10303', 'hex'),
  SSH: 'SSH-2.0-OpenSSH_9.6\r\n',
  SMTP: 'EHLO fuzz.test\r\nMAIL FROM:<a@b>\r\n',
  'random bytes': Buffer.from(Array.from({ length: 4_000 }, (_, at) => (at * 7_919) % 251)),
  'NUL bytes': Buffer.alloc(100_000),
  'line feeds only': '\n'.repeat(100_000),
  'two Hosts': head(['GET /healthz HTTP/1.1', host, 'Host: other.test', 'Connection: close']),
  'no Host': head(['GET /healthz HTTP/1.1', 'Connection: close']),
  'an odd Host': head(['GET /healthz HTTP/1.1', 'Host: a b/../<script>', 'Connection: close']),
  'a whole address as target': head(['GET http://other.test/healthz HTTP/1.1', host, 'Connection: close']),
  'a target without a slash': head(['GET healthz HTTP/1.1', host]),
  'a star as target': head(['OPTIONS * HTTP/1.1', host, 'Connection: close']),
  'blanks in the target': head(['GET /health z HTTP/1.1', host]),
  CONNECT: head(['CONNECT 169.254.169.254:80 HTTP/1.1', host]),
  TRACE: head(['TRACE / HTTP/1.1', host, 'Connection: close']),
  'a method of 1 KB': head([`${'A'.repeat(1_000)} / HTTP/1.1`, host]),
  'a lower-case method': head(['get /healthz HTTP/1.1', host]),
  'an upgrade to h2c': head([
    'GET /healthz HTTP/1.1',
    host,
    'Connection: Upgrade, HTTP2-Settings',
    'Upgrade: h2c',
    'HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA',
  ]),
  'an upgrade to a web socket': head([
    'GET / HTTP/1.1',
    host,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  ]),
  'an expectation of wonders': head(['GET /healthz HTTP/1.1', host, 'Expect: wonders', 'Connection: close']),
  'HTTP/1.0 with chunks':
    head(['POST /categories/convert HTTP/1.0', json, 'Transfer-Encoding: chunked']) + chunkedHidden,
};

/** Bodies that are longer, shorter or otherwise not what their head says. */
export function framingPlans(operations: readonly BodyOperation[]): Plan[] {
  return operations.flatMap((operation) => {
    const request = operation.request(writeJsonText(operation.example), 'framing');
    const whole = requestBytes(request);
    const at = whole.indexOf(crlf + crlf);
    const lines = whole.subarray(0, at).toString('latin1').split(crlf);
    const body = whole.subarray(at + 4).toString('utf8');
    const headWith = (line: string): string =>
      head([...lines.filter((one) => !/^content-length/i.test(one)), ...(line === '' ? [] : [line])]);
    const chunked = headWith('Transfer-Encoding: chunked');
    const size = Buffer.byteLength(body).toString(16);
    const half = Buffer.from(body).subarray(0, body.length / 2);
    const shapes: Readonly<Record<string, string | Buffer | ((socket: Socket) => Promise<void>)>> = {
      'a body and no length': headWith('') + body,
      'chunks of nonsense': `${chunked}zz${crlf}`,
      'a chunk that is longer than it says': `${chunked}1${crlf}${body}${crlf}0${crlf}${crlf}`,
      'a chunk size beyond all numbers': `${chunked}ffffffffffffffffff${crlf}${body}`,
      'a negative chunk': `${chunked}-1${crlf}${body}`,
      'a chunk extension of 100 KB': `${chunked}${size};x=${'y'.repeat(100_000)}${crlf}${body}${crlf}0${crlf}${crlf}`,
      'a chunk without its line end': `${chunked}${size}${crlf}${body}0${crlf}${crlf}`,
      'chunks of one byte': chunksOfOne(chunked, body),
      'trailers without end': async (socket) => {
        socket.write(`${chunked}0${crlf}`);
        await pour(socket, Buffer.from(`X-More: yes${crlf}`.repeat(1_000)), 1_000);
      },
      'a body that breaks off': async (socket) => {
        socket.write(Buffer.concat([Buffer.from(headWith(`Content-Length: ${Buffer.byteLength(body)}`)), half]));
        socket.end();
      },
      'a body that is reset': async (socket) => {
        socket.write(Buffer.concat([Buffer.from(headWith(`Content-Length: ${Buffer.byteLength(body)}`)), half]));
        setTimeout(() => socket.resetAndDestroy(), 50);
      },
      'chunks that break off': async (socket) => {
        socket.write(`${chunked}${size}${crlf}`);
        socket.end(half);
      },
    };
    return Object.entries(shapes).map(([name, wire]): Plan => ({
      kind: 'broken framing',
      name: `${operation.name} ${name}`,
      make: () => {
        const input = broken(typeof wire === 'function' ? '' : wire, name === 'a body and no length' ? 2 : 1);
        const expected = { ...input.expected, method: request.method, path: request.path };
        return { ...input, expected, ...(typeof wire === 'function' && { wire }) };
      },
    }));
  });
}

const chunksOfOne = (chunked: string, body: string): string =>
  `${chunked}${[...body].map((one) => `${Buffer.byteLength(one).toString(16)}${crlf}${one}${crlf}`).join('')}0${crlf}${crlf}`;
