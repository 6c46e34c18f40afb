import { join } from 'node:path';
import express, { type Request, type Router } from 'express';
import { pathFilterOf, queryText } from '../kit/admin-routes.ts';
import { createClock, type Clock } from '../kit/clock.ts';
import { openJournal } from '../kit/journal.ts';
import { rawBodyOf } from '../kit/request-body.ts';
import { startSimulator, type RunningSimulator, type TlsFiles } from '../kit/start-simulator.ts';
import { ReceivedLog } from './received-log.ts';

export interface WebhookReceiverOptions {
  readonly port?: number | undefined;
  /** Partners' endpoints are HTTPS; absent: plain HTTP, for callers that allow it. */
  readonly tls?: TlsFiles | undefined;
  /** Absent: nothing survives the stop. */
  readonly dataDir?: string | undefined;
}

/** Partners' webhook endpoints: accepts a request at any path, stores its exact bytes and answers 200. */
export async function startWebhookReceiver(options: WebhookReceiverOptions = {}): Promise<RunningSimulator> {
  const log = new ReceivedLog();
  const clock = createClock();
  const journal = openJournal({
    file: options.dataDir === undefined ? undefined : join(options.dataDir, 'received.journal'),
    replay: (entry) => log.restore(entry),
    snapshot: () => log.all(),
  });
  log.keepIn(journal);
  return startSimulator({
    name: 'webhook receiver',
    port: options.port,
    tls: options.tls,
    clock,
    routes: endpointRoutes(log, clock),
    admin: receivedRoutes(log),
    onClose: () => journal.close(),
  });
}

function endpointRoutes(log: ReceivedLog, clock: Clock): Router {
  const router = express.Router();
  router.use((request, response) => {
    const raw = rawBodyOf(request);
    log.add({
      at: new Date(clock.now()).toISOString(),
      path: request.path,
      method: request.method,
      headers: headersOf(request),
      body: parseOrNull(raw),
      rawBase64: raw.toString('base64'),
    });
    response.json({ received: true });
  });
  return router;
}

function receivedRoutes(log: ReceivedLog): Router {
  const router = express.Router();
  router.get('/received', (request, response) => {
    response.json({ received: log.list({ path: pathFilterOf(request), eventType: queryText(request, 'eventType') }) });
  });
  router.delete('/received', (_request, response) => {
    log.clear();
    response.status(204).end();
  });
  return router;
}

function headersOf(request: Request): Record<string, string> {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}

function parseOrNull(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'));
  } catch {
    return null;
  }
}
