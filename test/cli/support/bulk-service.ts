import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Upload {
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  /** Lines as they came, empty ones too. */
  readonly lines: readonly string[];
}

/** A service that only knows bulk syncs, in memory: it takes uploads, applies as the test says, and remembers what it was asked. */
export interface BulkService {
  readonly url: string;
  /** Whole uploads, repeated ones too. */
  readonly uploads: Upload[];
  /** Uploads that broke off. */
  readonly brokenOff: () => number;
  /** `METHOD path` of everything. */
  readonly calls: string[];
  /** Of everything. */
  readonly apiKeys: ReadonlySet<string>;
  /** Changed by the test at will. */
  readonly behaviour: Behaviour;
  close(): Promise<void>;
}

interface Behaviour {
  /** Answers everything else than an upload later on. */
  state: 'running' | 'completed' | 'cancelled';
  counts: Record<string, unknown>;
  errors: object[];
  /** Takes so many uploads whole and drops the connection instead of answering. */
  dropAnswers: number;
  /** Answers uploads with this instead. */
  refusal: { status: number; body: object; headers?: Record<string, string> } | undefined;
  /** Knows no bulk sync any more. */
  isForgetful: boolean;
  /** Reads uploads only when this resolves. */
  readUploads: Promise<void>;
}

const noCounts = {
  total: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  failed: 0,
  warned: 0,
  repeated: 0,
  removed: 0,
  remarks: [],
  leftOut: 'keep',
  leftOutFields: [],
};

export async function startBulkService(change: Partial<Behaviour> = {}): Promise<BulkService> {
  const behaviour: Behaviour = {
    state: 'completed',
    counts: {},
    errors: [],
    dropAnswers: 0,
    refusal: undefined,
    isForgetful: false,
    readUploads: Promise.resolve(),
    ...change,
  };
  const uploads: Upload[] = [];
  const calls: string[] = [];
  const apiKeys = new Set<string>();
  const ids = new Map<string, string>();
  let brokenOff = 0;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://service.test');
    calls.push(`${request.method ?? ''} ${url.pathname}`);
    apiKeys.add(String(request.headers['x-api-key']));
    if (request.method !== 'POST') answerAbout(url, request, response);
    else
      take(url, request, response).catch(() => {
        brokenOff += 1;
      });
  });

  async function take(url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (behaviour.refusal !== undefined) {
      const { status, body, headers } = behaviour.refusal;
      for (const [name, value] of Object.entries({ connection: 'close', ...headers })) response.setHeader(name, value);
      json(response, status, body);
      return;
    }
    await behaviour.readUploads;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const lines = Buffer.concat(chunks).toString('utf8').replace(/\n$/, '').split('\n');
    uploads.push({ url, headers: request.headers, lines });
    const key = String(request.headers['idempotency-key']);
    if (!ids.has(key)) ids.set(key, randomUUID());
    if (behaviour.dropAnswers > 0) {
      behaviour.dropAnswers -= 1;
      request.socket.destroy();
    } else if (url.searchParams.get('validateOnly') === 'true') {
      json(response, 200, { ...noCounts, ...behaviour.counts, errors: behaviour.errors });
    } else json(response, 202, { id: ids.get(key) });
  }

  function answerAbout(url: URL, request: IncomingMessage, response: ServerResponse): void {
    const [id = '', part] = url.pathname.split('/').slice(4);
    if (behaviour.isForgetful || ![...ids.values()].includes(id)) {
      json(response, 404, { error: 'No such bulk sync', code: 'NOT_FOUND', statusCode: 404 });
    } else if (part === 'errors') {
      response.setHeader('content-type', 'application/x-ndjson');
      response.end(behaviour.errors.map((error) => `${JSON.stringify(error)}\n`).join(''));
    } else if (request.method === 'DELETE') {
      json(response, 202, { id, state: 'cancelling' });
    } else {
      const times = { createdAt: '2026-03-01T00:00:00.000Z', completedAt: null };
      json(response, 200, { id, state: behaviour.state, mode: 'merge', ...noCounts, ...behaviour.counts, ...times });
    }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    uploads,
    brokenOff: () => brokenOff,
    calls,
    apiKeys,
    behaviour,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
