import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
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
    socket.write(typeof part === 'number' ? Buffer.from([part]) : part);
    await pause(eachSecond);
  }
}
