import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../random.ts';
import type { Arrival } from '../observed.ts';

/**
 * - `steady` answers at once. `gone` says 410 to all.
 * - `flaky` answers, refuses, breaks off, is slow or hangs, as the seed says.
 * - `moody` is steady, but for times in which it refuses everything.
 */
export type Temper = 'steady' | 'flaky' | 'moody' | 'gone';

export interface Receivers {
  /** Without a slash at the end; the first part of the path names the receiver. */
  readonly port: number;
  readonly arrivals: readonly Arrival[];
  add(name: string, temper: Temper): void;
  /** From now on everybody but `gone` answers at once. */
  calm(): void;
  close(): Promise<void>;
}

type Answer = { readonly status: number; readonly afterMs: number } | 'reset';

const moodMs = 20_000;
/** Longer than an attempt may take. */
const hangMs = 11_000;

/** Partners' endpoints in this process: each remembers what arrived, byte for byte, and what it answered. */
export async function startReceivers(
  random: Random,
  tls: { readonly keyFile: string; readonly certFile: string },
): Promise<Receivers> {
  const tempers = new Map<string, Temper>();
  const arrivals: Arrival[] = [];
  let isCalm = false;
  const answerOf = (receiver: string): Answer => {
    const temper = tempers.get(receiver) ?? 'steady';
    if (temper === 'gone') return { status: 410, afterMs: 0 };
    if (isCalm || temper === 'steady') return { status: 200, afterMs: 0 };
    if (temper === 'moody') return { status: Math.floor(Date.now() / moodMs) % 2 === 0 ? 500 : 200, afterMs: 0 };
    return flakyAnswer(random.next());
  };
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const receiver = request.url?.slice(1) ?? '';
    const answer = answerOf(receiver);
    const arrival = arrivalOf(receiver, request, Buffer.concat(chunks));
    arrivals.push({ ...arrival, answered: answer === 'reset' ? null : answer.status });
    if (answer === 'reset') {
      response.destroy();
      return;
    }
    if (answer.afterMs > 0) await pause(answer.afterMs, undefined, { ref: false });
    response.writeHead(answer.status).end();
  };
  const server = createServer(
    { key: readFileSync(tls.keyFile), cert: readFileSync(tls.certFile) },
    (request, response) => {
      // A request that a killed process broke off never arrived.
      receive(request, response).catch(() => response.destroy());
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    arrivals,
    add: (name, temper) => {
      tempers.set(name, temper);
    },
    calm: () => {
      isCalm = true;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

function flakyAnswer(draw: number): Answer {
  if (draw < 0.15) return { status: 503, afterMs: 0 };
  if (draw < 0.2) return 'reset';
  if (draw < 0.22) return { status: 200, afterMs: hangMs };
  if (draw < 0.3) return { status: 200, afterMs: 800 };
  return { status: 200, afterMs: 0 };
}

function arrivalOf(receiver: string, request: IncomingMessage, raw: Buffer): Omit<Arrival, 'answered'> {
  const { eventId } = JSON.parse(raw.toString('utf8')) as { eventId: string };
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
  return { at: Date.now(), receiver, eventId, headers, rawBase64: raw.toString('base64') };
}
