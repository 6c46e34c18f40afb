import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { anItemBody } from '../../../test/support/audit-steps.ts';
import type { TestAccount } from '../../../test/support/api-world.ts';
import { pour } from '../support/raw-call.ts';
import type { Seeded } from '../support/seeded.ts';
import { asInput, requestBytes, type Plan } from './input.ts';
import { hostileKeys, hostileTexts, nested } from './hostile-values.ts';
import { toJsonText } from './json-text.ts';
import { mutateJson } from './mutate-json.ts';

const path = '/integration/v1/bulk-syncs';
const line = (externalId: string): string => JSON.stringify({ externalId, ...anItemBody });
const megabyte = 1024 ** 2;

/** Files of lines that are too long, too many, none, or no lines of ours. */
export function bulkPlans({ apiKey }: TestAccount, mutatedFiles: number): Plan[] {
  const headers = { 'x-api-key': apiKey, 'Content-Type': 'application/x-ndjson' };
  const files: Readonly<Record<string, { body: () => string | Buffer; statuses?: readonly number[] }>> = {
    'no newline at the end': { body: () => `${line('bulk-1')}\n${line('bulk-2')}`, statuses: [202] },
    'CRLF, LF and CR': {
      body: () => `${line('bulk-3')}\r\n${line('bulk-4')}\n${line('bulk-5')}\r${line('bulk-6')}\n`,
      statuses: [202],
    },
    'a BOM first': { body: () => `\ufeff${line('bulk-7')}\n` },
    'a million empty lines': { body: () => '\n'.repeat(1_000_000), statuses: [400] },
    'a million and one empty lines': { body: () => '\n'.repeat(1_000_001), statuses: [400, 413] },
    '30,000 lines of nothing, packed': { body: () => '{}\n'.repeat(30_000), statuses: [202, 413] },
    'one line of 3 MB': {
      body: () => JSON.stringify({ externalId: 'bulk-8', title: 'x'.repeat(3 * megabyte) }),
      statuses: [202],
    },
    'a line without end': { body: () => 'x'.repeat(20 * megabyte), statuses: [202, 400] },
    'NUL bytes': { body: () => Buffer.alloc(megabyte) },
    'blanks only': { body: () => ' \t\r\n'.repeat(1_000), statuses: [202, 400] },
    'values that are no items': {
      body: () => ['[]', '1', '"a"', 'null', 'true', '{}', '[{}]', '{', '}', 'NaN'].join('\n'),
      statuses: [202],
    },
    'invalid UTF-8': {
      body: () => Buffer.concat([Buffer.from(line('bulk-9').replace('Dörr', 'D')), Buffer.from([0xff, 0x0a])]),
    },
    'deep nesting': { body: () => Object.values(nested).join('\n'), statuses: [202] },
    'odd accounts': {
      body: () =>
        hostileTexts
          .map(
            (text, number) => `{"externalId":"acc-${number}","account":${text},"title":"a","price":1,"imageUrls":[]}`,
          )
          .join('\n'),
      statuses: [202],
    },
    'odd external ids': {
      body: () => hostileTexts.map((text) => `{"externalId":${text},"title":"a","price":1,"imageUrls":[]}`).join('\n'),
      statuses: [202],
    },
    'odd keys': {
      body: () =>
        hostileKeys
          .map(
            (key, number) =>
              `{"externalId":"key-${number}","title":"a","price":1,"imageUrls":[],${JSON.stringify(key)}:{"a":1}}`,
          )
          .join('\n'),
      statuses: [202],
    },
    'the same item 2,000 times': { body: () => `${line('bulk-same')}\n`.repeat(2_000), statuses: [202] },
  };
  const fixed = Object.entries(files).map(([name, { body, statuses }]): Plan => {
    const isPacked = name.endsWith('packed');
    return {
      kind: 'bulk lines',
      name,
      isAlone: true,
      make: () => {
        const bytes = isPacked ? gzipSync(body()) : body();
        const all = { ...headers, ...(isPacked && { 'Content-Encoding': 'gzip' }) };
        return {
          ...asInput({ method: 'POST', path, headers: all, body: bytes }, statuses),
          options: { timeoutMs: 60_000 },
        };
      },
    };
  });
  return [...fixed, ...mutatedLines(headers, mutatedFiles), ...brokenUploads(headers)];
}

function mutatedLines(headers: Readonly<Record<string, string>>, files: number): Plan[] {
  return Array.from({ length: files }, (_, file) => ({
    kind: 'bulk lines',
    name: `mutated lines #${file}`,
    isAlone: true,
    make: (random) => {
      const lines = Array.from({ length: 100 }, (_unused, number) =>
        mutateJson(toJsonText({ externalId: `mutated-${file}-${number}`, ...anItemBody }), random),
      );
      return asInput(
        { method: 'POST', path, headers, body: lines.join(random.pick(['\n', '\r\n', '\n\n'])) },
        [202, 400, 409],
      );
    },
  }));
}

function brokenUploads(headers: Readonly<Record<string, string>>): Plan[] {
  const head = requestBytes({ method: 'POST', path, headers: { ...headers, 'Transfer-Encoding': 'chunked' } });
  const expected = { method: 'POST', path, mayClose: true, statuses: [400] };
  return [
    {
      kind: 'bulk lines',
      name: 'an upload that breaks off',
      isAlone: true,
      make: () => ({
        expected,
        wire: async (socket) => {
          socket.write(head);
          await pour(socket, Buffer.from(`${(65_536).toString(16)}\r\n${'x'.repeat(65_536)}\r\n`), 10);
          socket.end();
        },
      }),
    },
    {
      kind: 'bulk lines',
      name: 'an upload whose chunks turn to nonsense',
      isAlone: true,
      make: () => ({ expected, wire: Buffer.concat([head, Buffer.from(`5\r\n{"a":\r\nnonsense\r\n`)]) }),
    },
  ];
}

const blanks = (bytes: number): Buffer => gzipSync(Buffer.alloc(bytes, ' '), { level: 9 });
const packed = (lines: readonly string[]): Buffer => gzipSync(lines.join('\n'), { level: 9 });
const lines = (count: number, text: (number: number) => string): string[] =>
  Array.from({ length: count }, (_, number) => text(number));
const deepLine = (number: number, noise = ''): string =>
  `{"externalId":"tight-${number}${noise}","title":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;

interface PackedFile {
  readonly body: (random: Seeded) => Buffer;
  readonly status: number;
  readonly encoding?: string;
  readonly query?: string;
}

/** Uploads that cost their sender little. Beyond a megabyte what unpacks to more than 200 times its size is refused. */
const packedFiles: Readonly<Record<string, PackedFile>> = {
  'one megabyte of blanks, a kilobyte packed': {
    body: () => packed([`{"externalId":"tight-blank","title":"${' '.repeat(1_000_000)}"}`]),
    status: 202,
  },
  'three megabytes of blanks': {
    body: () => packed(lines(3, (number) => `{"externalId":"tight-${number}","title":"${' '.repeat(1_000_000)}"}`)),
    status: 413,
  },
  'the same 6 KB in each line': {
    body: (random) => {
      const text = random.bytes(3_000).toString('hex');
      return packed(lines(500, (number) => `{"externalId":"tight-${number}","title":1,"text":"${text}"}`));
    },
    status: 202,
  },
  '40 MB of deep lines': { body: () => packed(lines(1_000, (number) => deepLine(number))), status: 413 },
  '40 MB of deep lines, only to be checked': {
    body: () => packed(lines(1_000, (number) => deepLine(number))),
    status: 413,
    query: '?validateOnly=true',
  },
  '8 MB of deep lines with noise': {
    body: (random) => packed(lines(200, (number) => deepLine(number, random.bytes(120).toString('hex')))),
    status: 202,
  },
  'a million short lines': { body: () => packed(lines(1_000_000, () => '{"externalId":"short"}')), status: 413 },
  'a million short lines, only to be checked': {
    body: () => packed(lines(1_000_000, () => '{"externalId":"short"}')),
    status: 413,
    query: '?validateOnly=true',
  },
  'three million empty lines': { body: () => gzipSync('\n'.repeat(3_000_000), { level: 9 }), status: 413 },
  '50,000 short lines with noise': {
    body: (random) => packed(lines(50_000, () => String(random.below(1_000_000)))),
    status: 202,
  },
  'lines with noise, then 60 MB of blanks': {
    body: (random) => {
      const noise = lines(
        10,
        (number) => `{"externalId":"tight-${number}","title":"${random.bytes(5_000).toString('hex')}"}\n`,
      );
      return Buffer.concat([gzipSync(noise.join('')), ...Array.from({ length: 6 }, () => blanks(10 * megabyte))]);
    },
    status: 413,
  },
  '50,000 files of gzip with nothing in them': {
    body: () => Buffer.concat(Array.from({ length: 50_000 }, () => nothing)),
    status: 400,
  },
  'one megabyte of blanks as br': { body: () => brotliCompressSync(' '.repeat(megabyte)), status: 400, encoding: 'br' },
  'one megabyte of blanks as deflate': {
    body: () => deflateSync(' '.repeat(megabyte)),
    status: 400,
    encoding: 'deflate',
  },
};
const nothing = gzipSync('');

export const packedBulkPlans = ({ apiKey }: TestAccount): Plan[] =>
  Object.entries(packedFiles).map(([name, { body, status, encoding = 'gzip', query = '' }]) => ({
    kind: 'bulk lines',
    name,
    isAlone: true,
    make: (random) => {
      const headers = { 'x-api-key': apiKey, 'Content-Type': 'application/x-ndjson', 'Content-Encoding': encoding };
      const request = { method: 'POST', path: `${path}${query}`, headers, body: body(random) };
      return { ...asInput(request, [status]), options: { timeoutMs: 60_000 } };
    },
  }));

/** Batches that are too many, none, or full of rows that are no items. */
export function batchPlans({ apiKey }: TestAccount): Plan[] {
  const headers = { 'x-api-key': apiKey, 'Content-Type': 'application/json' };
  const row = (number: number) => ({ externalId: `batch-${number}`, ...anItemBody });
  const rows = (count: number) => Array.from({ length: count }, (_, number) => row(number));
  const bodies: readonly (readonly [string, unknown, number])[] = [
    ['500 rows', { items: rows(500) }, 200],
    ['501 rows', { items: rows(501) }, 422],
    ['10,000 rows', { items: Array.from({ length: 10_000 }, () => ({})) }, 422],
    ['no rows', { items: [] }, 422],
    ['no list', { items: {} }, 422],
    ['a list of lists', { items: [[row(1)]] }, 200],
    ['rows of null', { items: Array.from({ length: 500 }, () => null) }, 200],
    ['rows of texts', { items: ['a', 1, true, null, [], {}] }, 200],
    ['one row 500 times', { items: Array.from({ length: 500 }, () => row(600)) }, 200],
    ['the body is a list', rows(2), 422],
    ['the body is null', null, 422],
    ['more than 1 MB', { items: [{ ...row(700), description: 'x'.repeat(1024 ** 2) }] }, 413],
    ['more than any limit', { items: [{ ...row(701), description: 'x'.repeat(30 * 1024 ** 2) }] }, 413],
  ];
  return bodies.map(([name, body, status]) => ({
    kind: 'batches',
    name,
    isAlone: true,
    make: () => {
      // The limit of a batch is above that of one item: what is refused by the one may pass the other.
      const statuses = name === 'more than 1 MB' ? [200, 413] : [status];
      return asInput(
        { method: 'POST', path: '/integration/v1/items/batch', headers, body: JSON.stringify(body) },
        statuses,
      );
    },
  }));
}
