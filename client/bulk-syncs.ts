import { randomUUID } from 'node:crypto';
import type { BulkSync, BulkSyncCheck, BulkSyncError, CancelledBulkSync } from './generated/types.gen.ts';
import { errorFromAnswer } from './itembridge-error.ts';
import { requirePathValue } from './path-values.ts';
import { readLines } from './read-lines.ts';
import { asUnreachable, sendWithRetries, waitOrAbort } from './retries.ts';
import type { Transport } from './transport.ts';

/** Newline-delimited JSON. Each call starts at the beginning, so that an upload can be repeated. */
export type LineSource = () => AsyncIterable<Uint8Array>;

/** The lines could not be read; `cause` says why. The upload was broken off and has no effect. */
export class LineSourceError extends Error {
  override readonly name = 'LineSourceError';
}

export interface UploadOptions {
  readonly mode?: 'merge' | 'snapshot';
  /**
   * What becomes of fields that a line leaves out although its item has them. By default they are emptied, as by a PUT;
   * `keep` is for files whose columns are not all of an item.
   */
  readonly leftOut?: 'empty' | 'keep';
  /** Allows a snapshot to take down more than half of the items. */
  readonly confirm?: boolean;
  /** A new key by default. Keep the key to ask again for a lost answer. */
  readonly idempotencyKey?: string;
  /** Stops the upload, which then has no effect. */
  readonly signal?: AbortSignal;
}

export interface BulkSyncs {
  /** Uploads as a stream, with constant memory. Resolves when the service has stored all lines. */
  upload(lines: LineSource, options?: UploadOptions): Promise<{ readonly id: string }>;
  /** Uploads for all checks of the content, without effect. */
  check(lines: LineSource, options?: UploadOptions): Promise<BulkSyncCheck>;
  read(id: string, options?: SignalOption): Promise<BulkSync>;
  /** Resolves when the bulk sync has ended; `onProgress` gets each state that was read. */
  wait(id: string, options?: WaitOptions): Promise<BulkSync>;
  /** Failed lines first, then those with warnings, each in the order of the file. */
  errors(id: string, options?: SignalOption): AsyncGenerator<BulkSyncError, void>;
  cancel(id: string, options?: SignalOption): Promise<CancelledBulkSync>;
}

interface SignalOption {
  readonly signal?: AbortSignal;
}

interface WaitOptions extends SignalOption {
  readonly onProgress?: (bulk: BulkSync) => void;
  /** Pause between two reads in ms; 1,000 by default. */
  readonly pollMs?: number;
}

/** Whether the bulk sync has ended, completed or cancelled. */
export const isOver = ({ state }: Pick<BulkSync, 'state'>): boolean => state === 'completed' || state === 'cancelled';

/** Uploads, reads and awaits bulk syncs. */
export function createBulkSyncs(transport: Transport): BulkSyncs {
  const call = caller(transport);
  const read: BulkSyncs['read'] = async (id, options) => json<BulkSync>(await call('GET', pathOf(id), options));
  return {
    upload: async (lines, options) => json(await upload(transport, lines, { ...options, validateOnly: false })),
    check: async (lines, options) => json(await upload(transport, lines, { ...options, validateOnly: true })),
    read,
    wait: async (id, { onProgress, pollMs = 1_000, signal } = {}) => {
      for (;;) {
        const bulk = await read(id, signal && { signal });
        onProgress?.(bulk);
        if (isOver(bulk)) return bulk;
        await waitOrAbort(pollMs, signal);
      }
    },
    errors: async function* (id, options) {
      const { body } = await call('GET', `${pathOf(id)}/errors`, { ...options, isStream: true });
      if (body === null) return;
      try {
        for await (const { text } of readLines(body)) if (text.trim() !== '') yield parse<BulkSyncError>(text);
      } catch (error) {
        options?.signal?.throwIfAborted();
        throw asUnreachable(error);
      }
    },
    cancel: async (id, options) => json(await call('DELETE', pathOf(id), options)),
  };
}

function pathOf(id: string): string {
  requirePathValue('id', id);
  return `/integration/v1/bulk-syncs/${encodeURIComponent(id)}`;
}

interface CallOptions extends SignalOption {
  readonly isStream?: boolean;
}

type Caller = (method: 'GET' | 'DELETE', path: string, options?: CallOptions) => Promise<Response>;

function caller({ baseUrl, headers, fetch: send, retries }: Transport): Caller {
  return async (method, path, { signal, isStream = false } = {}) => {
    const init: RequestInit = { method, headers, redirect: 'error', ...(signal && { signal }) };
    const attempts = { retries, isRepeatable: true, signal, isStream };
    return orThrow(await sendWithRetries(() => send(baseUrl + path, init), attempts));
  };
}

async function upload(
  { baseUrl, headers, fetch: send, retries }: Transport,
  lines: LineSource,
  options: UploadOptions & { readonly validateOnly: boolean },
): Promise<Response> {
  const {
    mode = 'merge',
    leftOut = 'empty',
    confirm = false,
    validateOnly,
    idempotencyKey = randomUUID(),
    signal,
  } = options;
  const query = new URLSearchParams({
    mode,
    ...(leftOut === 'keep' && { leftOut }),
    ...(confirm && { confirm: 'true' }),
    ...(validateOnly && { validateOnly: 'true' }),
  });
  const source = watched(lines);
  const sendAll = async (): Promise<Response> => {
    const init: RequestInit & { duplex: 'half' } = {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/x-ndjson', 'idempotency-key': idempotencyKey },
      body: ReadableStream.from(source.read()),
      duplex: 'half',
      redirect: 'error',
      ...(signal && { signal }),
    };
    return send(`${baseUrl}/integration/v1/bulk-syncs?${query.toString()}`, init).catch(source.rethrow);
  };
  return orThrow(await sendWithRetries(sendAll, { retries, isRepeatable: true, signal }));
}

/**
 * fetch reports an error of the source as a network error, which would be retried. So the source's own error is kept.
 */
function watched(lines: LineSource): { read: LineSource; rethrow: (error: unknown) => never } {
  let failure: { readonly error: unknown } | undefined;
  return {
    read: async function* () {
      try {
        yield* lines();
      } catch (error) {
        failure = { error };
        throw error;
      }
    },
    rethrow: (error) => {
      if (failure === undefined) throw error;
      throw new LineSourceError('The lines could not be read', { cause: failure.error });
    },
  };
}

async function orThrow(response: Response): Promise<Response> {
  if (response.ok) return response;
  // The status is known; an incomplete text does not change it.
  const text = await response.text().catch(() => '');
  throw errorFromAnswer(response, parseOr(text, text));
}

const json = async <Answer>(response: Response): Promise<Answer> => parse<Answer>(await response.text());

// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters, @typescript-eslint/consistent-type-assertions -- the interface document says what the service answers
const parse = <Answer>(text: string): Answer => JSON.parse(text) as Answer;

function parseOr(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}
