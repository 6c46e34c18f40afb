import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createDeflate,
  createGzip,
  deflateRawSync,
  deflateSync,
  gzipSync,
} from 'node:zlib';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { BodyOperation } from './body-operations.ts';
import { nested } from './hostile-values.ts';
import { asInput, requestBytes, type HttpRequest, type Plan } from './input.ts';
import { raw, withField, writeJsonText } from './json-text.ts';

/** Bodies whose bytes are not what they seem: other alphabets, other types, packed, packed badly. */
export function encodingPlans(operations: readonly BodyOperation[]): Plan[] {
  return operations.flatMap((operation) => [
    ...bytePlans(operation),
    ...typePlans(operation),
    ...packedPlans(operation),
  ]);
}

const withHeaders = (request: HttpRequest, headers: Readonly<Record<string, string>>): HttpRequest => ({
  ...request,
  headers: { ...request.headers, ...headers },
});

/** Bytes that are no UTF-8: overlong forms, surrogates, cut short, beyond Unicode. */
const invalidBytes: Readonly<Record<string, readonly number[]>> = {
  'overlong slash': [0xc0, 0xaf],
  'overlong NUL': [0xc0, 0x80],
  'overlong in three': [0xe0, 0x80, 0xaf],
  'a surrogate': [0xed, 0xa0, 0x80],
  'beyond Unicode': [0xf4, 0x90, 0x80, 0x80],
  'cut short': [0xe2, 0x82],
  'a lone tail': [0x80],
  'byte 0xFF': [0xff],
  Latin1: [0xe5, 0xe4, 0xf6],
};

function bytePlans(operation: BodyOperation): Plan[] {
  const text = writeJsonText(operation.example);
  const utf16le = Buffer.from(text, 'utf16le');
  const shapes: Readonly<Record<string, Buffer>> = {
    'UTF-8 with BOM': Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)]),
    'two BOMs': Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf]), Buffer.from(text)]),
    'UTF-16LE': utf16le,
    'UTF-16LE with BOM': Buffer.concat([Buffer.from([0xff, 0xfe]), utf16le]),
    'UTF-16BE with BOM': Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(utf16le).swap16()]),
    'NUL bytes': Buffer.alloc(10_000),
    'NUL after the end': Buffer.concat([Buffer.from(text), Buffer.alloc(1)]),
    'blanks only': Buffer.alloc(10_000, ' '),
    'blanks around': Buffer.from(`\r\n\t ${text} \r\n`),
    'one quote': Buffer.from('"'),
    nothing: Buffer.alloc(0),
  };
  const whole = Object.entries(shapes).map(([name, body]): Plan => ({
    kind: 'bytes',
    name: `${operation.name} ${name}`,
    make: () => asInput(operation.request(body, 'bytes')),
  }));
  const invalid = Object.entries(invalidBytes).map(([name, bytes]): Plan => ({
    kind: 'bytes',
    name: `${operation.name} ${name}`,
    make: () => {
      const at = Math.max(1, text.indexOf('":"') + 3);
      const body = Buffer.concat([Buffer.from(text.slice(0, at)), Buffer.from(bytes), Buffer.from(text.slice(at))]);
      return asInput(operation.request(body, 'bytes'), operation.isStream ? undefined : [400, 422]);
    },
  }));
  return [...whole, ...invalid];
}

const types: readonly string[] = [
  '',
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'application/json; charset=klingon',
  'application/json; charset=',
  'APPLICATION/JSON',
  'application/json, text/plain',
  'application/json; charset=utf-8; charset=utf-16',
  'application/problem+json',
  'application/jsonx',
  'json',
  '*/*',
  `application/${'x'.repeat(5_000)}`,
  'application/json; boundary="',
  'application/json;;;',
];

function typePlans(operation: BodyOperation): Plan[] {
  return types.map((type) => ({
    kind: 'content types',
    name: `${operation.name} ${type.slice(0, 50)}`,
    make: () => {
      const request = operation.request(writeJsonText(operation.example), 'type');
      return asInput(withHeaders(request, { 'Content-Type': type }));
    },
  }));
}

function packedPlans(operation: BodyOperation): Plan[] {
  const text = writeJsonText(operation.example);
  const gzip = gzipSync(text);
  const damaged = Buffer.from(gzip);
  damaged.fill(0xaa, 12);
  const shapes: readonly (readonly [string, string, Buffer])[] = [
    ['gzip', 'gzip', gzip],
    ['deflate', 'deflate', deflateSync(text)],
    ['deflate without its head', 'deflate', deflateRawSync(text)],
    ['x-gzip', 'x-gzip', gzip],
    ['br', 'br', brotliCompressSync(text)],
    ['gzip cut short', 'gzip', gzip.subarray(0, gzip.length / 2)],
    ['gzip without its end', 'gzip', gzip.subarray(0, -4)],
    ['gzip damaged', 'gzip', damaged],
    ['gzip and more', 'gzip', Buffer.concat([gzip, Buffer.from('more')])],
    ['gzip of two parts', 'gzip', Buffer.concat([gzip, gzip])],
    ['gzip in gzip', 'gzip', gzipSync(gzip)],
    ['gzip, said twice', 'gzip, gzip', gzipSync(gzip)],
    ['not packed', 'gzip', Buffer.from(text)],
    ['not packed, br', 'br', Buffer.from(text)],
    ['deflate called gzip', 'gzip', deflateSync(text)],
    ['zstd', 'zstd', Buffer.from(text)],
    ['no known encoding', 'rot13', Buffer.from(text)],
    ['only the head of gzip', 'gzip', gzip.subarray(0, 10)],
  ];
  const small = shapes.map(([name, encoding, body]): Plan => ({
    kind: 'packed bodies',
    name: `${operation.name} ${name}`,
    make: () => asInput(withHeaders(operation.request(body, 'packed'), { 'Content-Encoding': encoding })),
  }));
  return [...small, ...bombs(operation)];
}

const gigabyte = 1024 ** 3;
const megabyte = 1024 ** 2;
const packers = {
  gzip: () => createGzip({ level: 9 }),
  deflate: () => createDeflate({ level: 9 }),
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
} as const;
const made = new Map<string, Promise<Buffer>>();

/** A gigabyte of zeros, packed once for all that throw it. */
function bombOf(encoding: keyof typeof packers): Promise<Buffer> {
  const block = Buffer.alloc(megabyte);
  const known = made.get(encoding);
  const bomb =
    known ?? buffer(Readable.from(Array.from({ length: gigabyte / megabyte }, () => block)).pipe(packers[encoding]()));
  made.set(encoding, bomb);
  return bomb;
}

function bombs(operation: BodyOperation): Plan[] {
  if (!/items\/\{external_id\}$|batch|bulk-syncs$|convert|stripe/.test(operation.name)) return [];
  return (Object.keys(packers) as (keyof typeof packers)[]).map((encoding): Plan => ({
    kind: 'bombs',
    name: `${operation.name} 1 GB of zeros as ${encoding}`,
    isAlone: true,
    make: async () => {
      const request = withHeaders(operation.request(await bombOf(encoding), 'bomb'), { 'Content-Encoding': encoding });
      const { method, path } = request;
      const statuses = bombStatuses(operation);
      return { wire: requestBytes(request), expected: { method, path, statuses }, options: { timeoutMs: 60_000 } };
    },
  }));
}

/** Routes without a credential take no packed body. */
function bombStatuses({ isForStrangers, isStream }: BodyOperation): number[] {
  if (isForStrangers) return [415];
  return isStream ? [202, 413, 400] : [413];
}

/** Each unpacks from a kilobyte or little more to a megabyte that a parser would take long for. */
const dear: Readonly<Record<string, string>> = {
  '520,000 arrays': nested['520,000 arrays'] ?? '',
  '170,000 objects': `${'{"a":'.repeat(170_000)}1${'}'.repeat(170_000)}`,
  '340,000 objects side by side': `[${'{},'.repeat(340_000)}{}]`,
};

const packings: Readonly<Record<string, (text: string) => Buffer>> = {
  gzip: (text) => gzipSync(text, { level: 9 }),
  deflate: (text) => deflateSync(text, { level: 9 }),
  br: (text) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
};

/** Bodies that cost a caller a kilobyte. Strangers may pack nothing; from others they are refused before they are parsed. */
export const dearPackedPlans = (operations: readonly BodyOperation[]): Plan[] =>
  operations
    .filter(({ isStream }) => !isStream)
    .flatMap((operation) => [
      ...Object.entries(dear).flatMap(([shape, text]) =>
        Object.keys(packings).flatMap((encoding) => dearPacked(operation, { shape, text, encoding })),
      ),
      ...(operation.name === 'post /stripe/webhook' ? unsigned(operation) : []),
    ]);

interface Dear {
  readonly shape: string;
  readonly text: string;
  readonly encoding: string;
}

function dearPacked(operation: BodyOperation, { shape, text, encoding }: Dear): Plan[] {
  const inField = writeJsonText(withField(operation.example, 'extra', raw(text)));
  const isDeep = !shape.endsWith('side by side');
  // What is wide is no worse than any other body of a megabyte, and may be taken.
  const statuses = operation.isForStrangers ? [415] : isDeep ? [400] : undefined;
  return [text, inField].map((body, number) => ({
    kind: 'packed bodies',
    name: `${operation.name} ${shape} as ${encoding}${number === 0 ? '' : ', in a field'}`,
    make: () => {
      const request = operation.request(packings[encoding]?.(body) ?? '', 'dear');
      return asInput(withHeaders(request, { 'Content-Encoding': encoding }), statuses);
    },
  }));
}

/** To the route that tells its callers by a signature over the body: none is right, so nothing may be unpacked or parsed. */
function unsigned(operation: BodyOperation): Plan[] {
  const deep = (levels: number): string => `{"data":${'['.repeat(levels)}${']'.repeat(levels)}}`;
  const bodies: readonly (readonly [string, string | Buffer, string, number])[] = [
    ...Object.entries(packings).map(
      ([encoding, pack]) => [`520,000 levels as ${encoding}`, pack(deep(520_000)), encoding, 415] as const,
    ),
    ['520,000 levels', deep(520_000), 'identity', 413],
    ['100,000 levels', deep(100_000), 'identity', 400],
    ['65 levels', deep(65), 'identity', 400],
  ];
  const signatures = [undefined, 't=1,v1=00', `t=${'1,v1=00'.repeat(500)}`, 'v1', 't=1e400,v1=é'];
  return bodies.flatMap(([shape, body, encoding, status]) =>
    signatures.map((signature, number) => ({
      kind: 'packed bodies',
      name: `${operation.name} ${shape}, badly signed #${number}`,
      make: () => {
        const { 'Stripe-Signature': _right, ...others } = operation.request(body, 'unsigned').headers ?? {};
        const headers = {
          ...others,
          'Content-Encoding': encoding,
          ...(signature !== undefined && { 'Stripe-Signature': signature }),
        };
        return asInput({ ...operation.request(body, 'unsigned'), headers }, [status]);
      },
    })),
  );
}
