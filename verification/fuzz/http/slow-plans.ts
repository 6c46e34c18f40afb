import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { anItemBody } from '../../../test/support/audit-steps.ts';
import type { TestAccount } from '../../../test/support/api-world.ts';
import { requestBytes, type Plan } from './input.ts';

/** A head or body has 60 s; heads are looked at every 30 s. */
const boundMs = 110_000;
const eachSecond = 1_000;
const connectionsEach = 20;

/** Callers that take their time. Each must be let go within the bound, and while they hold on, others are served. */
export function slowPlans({ apiKey }: TestAccount): Plan[] {
  const put = { method: 'PUT', path: '/integration/v1/items/slow' };
  const bulk = { method: 'POST', path: '/integration/v1/bulk-syncs' };
  const json = { 'x-api-key': apiKey, 'Content-Type': 'application/json' };
  const lines = { 'x-api-key': apiKey, 'Content-Type': 'application/x-ndjson' };
  const body = JSON.stringify({ title: 'x'.repeat(250), price: 1, imageUrls: [] });
  const convert = { method: 'POST', path: '/categories/convert' };
  const shapes: readonly (readonly [string, { method: string; path: string }, (socket: Socket) => Promise<void>])[] = [
    ['says nothing', { method: 'GET', path: '/' }, async () => undefined],
    ['the head by a byte a second', put, (socket) => drip(socket, '', requestBytes({ ...put, headers: json, body }))],
    [
      'headers by a line a second',
      put,
      (socket) =>
        drip(
          socket,
          'PUT / HTTP/1.1\r\nHost: a\r\n',
          Array.from({ length: 500 }, () => 'X: y\r\n'),
        ),
    ],
    [
      'the body by a byte a second',
      put,
      (socket) => drip(socket, withoutBody(put, json, body.length), Buffer.from(body)),
    ],
    [
      'the body by a byte a second, by a stranger',
      convert,
      (socket) => drip(socket, withoutBody(convert, json, 500), Buffer.alloc(500, ' ')),
    ],
    ['a body that never comes', put, async (socket) => void socket.write(withoutBody(put, json, 100))],
    [
      'a bulk sync that falls silent',
      bulk,
      async (socket) =>
        void socket.write(Buffer.concat([withoutBody(bulk, lines, 1_000), Buffer.from('{"externalId"')])),
    ],
    [
      'a bulk sync by a byte a second',
      bulk,
      (socket) => drip(socket, withoutBody(bulk, lines, 1_000), Buffer.alloc(1_000, ' ')),
    ],
  ];
  return shapes.flatMap(([name, call, wire]) =>
    // Uploads of one account are bounded.
    Array.from({ length: call === bulk ? 2 : connectionsEach }, (_, number): Plan => ({
      kind: 'slow callers',
      name: `${name} #${number}`,
      make: () => ({
        wire,
        expected: { ...call, mayClose: true, statuses: [408] },
        options: { timeoutMs: boundMs },
      }),
    })),
  );
}

const withoutBody = (call: { method: string; path: string }, headers: Record<string, string>, length: number): Buffer =>
  requestBytes({ ...call, headers: { ...headers, 'Content-Length': String(length) } });

/** A part of `rest` each second. */
async function drip(socket: Socket, first: string | Buffer, rest: Buffer | readonly string[]): Promise<void> {
  socket.write(first);
  for (const part of rest) {
    if (socket.destroyed) return;
    socket.write(typeof part === 'number' ? Buffer.from([part]) : Buffer.from(part, 'latin1'));
    await pause(eachSecond);
  }
}

/** It has begun, so it holds a place. */
const begun = Buffer.from(`{"externalId":"${'x'.repeat(65_536)}`);
/** A kilobyte that would unpack to a megabyte. */
const tight = gzipSync('x'.repeat(1_000_000), { level: 9 });
const parts = (bytes: Buffer, each: number): string[] =>
  Array.from({ length: Math.ceil(bytes.length / each) }, (_, part) =>
    bytes.subarray(part * each, (part + 1) * each).toString('latin1'),
  );

/**
 * Uploads that take places and come slower than the least rate: each is let go, or was refused because too few places were left.
 * Those of another account are taken all the while.
 */
export function slowUploadPlans(attackers: readonly TestAccount[], other: TestAccount): Plan[] {
  const bulk = { method: 'POST', path: '/integration/v1/bulk-syncs' };
  const upload = ({ apiKey }: TestAccount, headers: Readonly<Record<string, string>> = {}): Buffer =>
    withoutBody(bulk, { 'x-api-key': apiKey, 'Content-Type': 'application/x-ndjson', ...headers }, 10_000_000);
  const begin = (account: TestAccount): Buffer => Buffer.concat([upload(account), begun]);
  const shapes: Readonly<Record<string, (socket: Socket, account: TestAccount) => Promise<void>>> = {
    'begins and falls silent': async (socket, account) => void socket.write(begin(account)),
    'begins and goes on by a byte a second': (socket, account) =>
      drip(socket, begin(account), Buffer.alloc(1_000, 'x')),
    'begins and goes on by 4 KB a second': (socket, account) =>
      drip(socket, begin(account), parts(Buffer.alloc(1_000_000, 'x'), 4_096)),
    'begins and goes on by 4 packed bytes a second': (socket, account) =>
      drip(
        socket,
        Buffer.concat([upload(account, { 'Content-Encoding': 'gzip' }), tight.subarray(0, 200)]),
        parts(tight.subarray(200), 4),
      ),
    'has a head and nothing else': async (socket, account) => void socket.write(upload(account)),
    'waits to be told to go on': async (socket, account) =>
      void socket.write(upload(account, { Expect: '100-continue' })),
  };
  const slow = attackers.flatMap((account, number) =>
    Object.entries(shapes).map(([name, wire]): Plan => ({
      kind: 'slow callers',
      name: `an upload of account #${number} ${name}`,
      make: () => ({
        wire: (socket) => wire(socket, account),
        expected: { ...bulk, mayClose: true, statuses: [408, 429] },
        options: { timeoutMs: boundMs },
      }),
    })),
  );
  return [...slow, ...besideThem(other)];
}

function besideThem({ apiKey }: TestAccount): Plan[] {
  const bulk = { method: 'POST', path: '/integration/v1/bulk-syncs' };
  return [10, 25, 40].flatMap((afterSeconds) => {
    const externalId = `beside-${afterSeconds}`;
    const item = { method: 'PUT', path: `/integration/v1/items/${externalId}` };
    const calls = [
      {
        ...bulk,
        type: 'application/x-ndjson',
        body: JSON.stringify({ externalId: `${externalId}-bulk`, ...anItemBody }),
      },
      { ...item, type: 'application/json', body: JSON.stringify(anItemBody) },
    ];
    return calls.map(({ type, ...call }): Plan => ({
      kind: 'slow callers',
      name: `${call.method} ${call.path} of another account, beside them for ${afterSeconds} s`,
      make: () => ({
        wire: async (socket) => {
          await pause(afterSeconds * 1_000);
          socket.write(requestBytes({ ...call, headers: { 'x-api-key': apiKey, 'Content-Type': type } }));
        },
        expected: { method: call.method, path: call.path, statuses: [202] },
        options: { timeoutMs: boundMs },
      }),
    }));
  });
}
