// An ERP that sends its catalogue: `node --import=tsx examples/push-catalogue.ts` while the system runs (npm start).
// It uses nothing but the public API, so that it can be copied: one PUT an item, again and again without harm.
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import pLimit from 'p-limit';
import { loadCatalogue, type CatalogueItem } from './catalogue/load-catalogue.ts';
import { isRecord } from './is-record.ts';
import { readReadyFile } from './ready-file.ts';

/** The reseller's key, or the accounts of the ready file, of which the reseller's is taken. */
export type ErpCredentials =
  | { readonly apiKey: string }
  | { readonly accounts: readonly { readonly role: string; readonly apiKey: string }[] };

export type PushOptions = ErpCredentials & {
  readonly apiUrl: string;
  /** Where the catalogue's image files are served, HTTPS. */
  readonly imagesUrl: string;
  /** Newline-delimited JSON; by default the example catalogue. */
  readonly catalogueFile?: string;
  readonly concurrency?: number;
  readonly attemptsMax?: number;
  readonly onProgress?: (progress: PushProgress) => void;
  readonly fetch?: typeof globalThis.fetch;
};

export interface PushProgress {
  /** Items that the API has accepted so far. */
  readonly received: number;
  readonly refused: number;
  readonly total: number;
}

export interface PushRefusal {
  readonly externalId: string;
  /** HTTP status; 0 when no answer came in all attempts. */
  readonly statusCode: number;
  readonly message: string;
  readonly fields: readonly string[];
}

export interface PushWarning {
  readonly externalId: string;
  readonly field: string;
  readonly message: string;
}

export interface PushSummary {
  readonly total: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly refused: readonly PushRefusal[];
  readonly warnings: readonly PushWarning[];
  /** Attempts beyond the first. */
  readonly retries: number;
  /** The service's id by externalId, of what was accepted. */
  readonly itemIds: Readonly<Record<string, string>>;
  readonly durationMs: number;
}

/** Pushes every item once, a few at a time. Never throws for a refused item: refusals are in the summary. */
export async function pushCatalogue(options: PushOptions): Promise<PushSummary> {
  const startedAt = Date.now();
  const items = loadCatalogue(options.catalogueFile);
  const limit = pLimit(options.concurrency ?? 4);
  const outcomes: Outcome[] = [];
  const pushOne = async (item: CatalogueItem): Promise<void> => {
    outcomes.push(await pushItem(item, options));
    const refused = outcomes.filter(({ kind }) => kind === 'refused').length;
    options.onProgress?.({ received: outcomes.length - refused, refused, total: items.length });
  };
  await Promise.all(items.map((item) => limit(pushOne, item)));
  return summarise(outcomes, Date.now() - startedAt);
}

interface Attempts {
  readonly retries: number;
}
type Outcome = Attempts &
  (
    | {
        readonly kind: 'created' | 'updated' | 'unchanged';
        readonly externalId: string;
        readonly itemId: string;
        readonly warnings: readonly PushWarning[];
      }
    | { readonly kind: 'refused'; readonly refusal: PushRefusal }
  );

async function pushItem(item: CatalogueItem, options: PushOptions): Promise<Outcome> {
  const attemptsMax = options.attemptsMax ?? 6;
  for (let attempt = 1; ; attempt += 1) {
    const answer = await send(item, options);
    const retries = attempt - 1;
    if (answer.statusCode === 202) return { retries, ...accepted(item.externalId, answer.body) };
    const isWorthTrying = answer.statusCode === 0 || answer.statusCode === 429 || answer.statusCode >= 500;
    if (!isWorthTrying || attempt >= attemptsMax)
      return { retries, kind: 'refused', refusal: refusalOf(item.externalId, answer) };
    await delay(answer.retryAfterMs ?? backoffMs(attempt));
  }
}

/** 250 ms, doubling to 8 s, with a quarter of chance so that many clients don't come back together. */
const backoffMs = (attempt: number): number => Math.min(8000, 250 * 2 ** (attempt - 1)) * (0.75 + Math.random() / 2);

interface Answer {
  readonly statusCode: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly retryAfterMs?: number;
}

/** One PUT. A connection that failed or was too slow is answer 0: sending the same item again is always safe. */
async function send(item: CatalogueItem, options: PushOptions): Promise<Answer> {
  const url = `${options.apiUrl}/integration/v1/items/${encodeURIComponent(item.externalId)}`;
  const headers = {
    'content-type': 'application/json',
    'x-api-key': resellerKey(options),
    ...(item.account === null ? {} : { 'x-partner-account': item.account }),
  };
  const request = {
    method: 'PUT',
    headers,
    body: JSON.stringify(bodyOf(item, options.imagesUrl)),
    signal: AbortSignal.timeout(30_000),
  };
  try {
    const response = await (options.fetch ?? globalThis.fetch)(url, request);
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    const body = parse(await response.text());
    return { statusCode: response.status, body, ...(Number.isFinite(seconds) ? { retryAfterMs: seconds * 1000 } : {}) };
  } catch (error) {
    return { statusCode: 0, body: { error: error instanceof Error ? error.message : String(error) } };
  }
}

/** The request body: the item without what is the ERP's own business, its pictures as addresses. */
function bodyOf(item: CatalogueItem, imagesUrl: string): Record<string, unknown> {
  const own = ['externalId', 'account', 'images', 'expected'];
  const fields = Object.fromEntries(Object.entries(item).filter(([field]) => !own.includes(field)));
  if (item.images === undefined) return fields;
  return {
    ...fields,
    imageUrls: item.images.map((file) => `${imagesUrl.replace(/\/+$/, '')}/${encodeURIComponent(file)}`),
  };
}

function accepted(externalId: string, body: Answer['body']) {
  const message = String(body['message']);
  const kind = message.includes('unchanged')
    ? ('unchanged' as const)
    : message.includes('created')
      ? ('created' as const)
      : ('updated' as const);
  const warnings = listOf(body['warnings']).map((warning) => ({
    externalId,
    field: String(warning['field']),
    message: String(warning['message']),
  }));
  return { kind, externalId, itemId: String(body['itemId']), warnings };
}

function refusalOf(externalId: string, { statusCode, body }: Answer): PushRefusal {
  const fields = listOf(body['details']).map((detail) => String(detail['field']));
  return { externalId, statusCode, message: typeof body['error'] === 'string' ? body['error'] : 'no answer', fields };
}

function summarise(outcomes: readonly Outcome[], durationMs: number): PushSummary {
  const count = (kind: Outcome['kind']): number => outcomes.filter((outcome) => outcome.kind === kind).length;
  const done = outcomes.flatMap((outcome) => (outcome.kind === 'refused' ? [] : [outcome]));
  return {
    total: outcomes.length,
    created: count('created'),
    updated: count('updated'),
    unchanged: count('unchanged'),
    refused: outcomes.flatMap((outcome) => (outcome.kind === 'refused' ? [outcome.refusal] : [])),
    warnings: done.flatMap(({ warnings }) => warnings),
    retries: outcomes.reduce((sum, { retries }) => sum + retries, 0),
    itemIds: Object.fromEntries(done.map(({ externalId, itemId }) => [externalId, itemId])),
    durationMs,
  };
}

function resellerKey(credentials: ErpCredentials): string {
  if ('apiKey' in credentials) return credentials.apiKey;
  const reseller = credentials.accounts.find(({ role }) => role === 'reseller');
  if (reseller === undefined) throw new Error('no account is a reseller: a catalogue of several members needs its key');
  return reseller.apiKey;
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return { error: text.slice(0, 200) };
  }
}

const listOf = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isRecord) : []);

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { home: { type: 'string', default: '.itembridge' }, catalogue: { type: 'string' } },
  });
  const ready = readReadyFile(values.home);
  const summary = await pushCatalogue({
    apiUrl: ready.apiUrl,
    accounts: ready.accounts,
    imagesUrl: ready.simulators.images.url,
    ...(values.catalogue === undefined ? {} : { catalogueFile: values.catalogue }),
    onProgress: ({ received, refused, total }) => {
      if (process.stdout.isTTY) process.stdout.write(`\r${received} of ${total} accepted, ${refused} refused `);
    },
  });
  const { created, updated, unchanged, refused, warnings, durationMs } = summary;
  console.log(
    `\n${created} created, ${updated} updated, ${unchanged} unchanged, ${refused.length} refused in ${(durationMs / 1000).toFixed(1)} s`,
  );
  for (const { externalId, field, message } of warnings) console.log(`  note   ${externalId} ${field}: ${message}`);
  for (const { externalId, statusCode, message, fields } of refused)
    console.log(`  refused ${externalId}: ${statusCode} ${message} ${fields.join(', ')}`);
  if (refused.length > 0) process.exitCode = 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
