import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { imageSizes } from '../../gateways/image-process/port.ts';
import { callAdmin } from '../../test/support/world.ts';
import type { Journal } from './load/journal.ts';
import type { Ad, Endpoint, Observed } from './observed.ts';
import type { Account } from './world/account.ts';
import { accountId } from '../../features/rules/ids.ts';
import { numberEvents } from '../../features/webhooks/store/events.ts';
import type { World } from './world/world.ts';

export interface CollectOptions {
  readonly world: World;
  readonly accounts: readonly Account[];
  readonly journal: Journal;
  readonly doubles: readonly string[];
}

/** Reads everything that the checker looks at, once the world is at rest. */
export async function collect({ world, accounts, journal, doubles }: CollectOptions): Promise<Observed> {
  const [rows, ads, orders, events, endpoints, deliveries, attempts, bulks, images] = await Promise.all([
    readRows(world),
    readAds(world),
    readAll(world, ['orders', { adId: 1 }], (row) => ({ id: text(row['_id']), adId: textOrNull(row['adId']) })),
    readEvents(world, accounts),
    readEndpoints(world, accounts),
    readDeliveries(world),
    readAttempts(world),
    readBulks(world, journal),
    readImages(world),
  ]);
  const [answers, workflows] = [await readAnswers(world, accounts, journal), await readWorkflows(world)];
  const { writes, badAnswers } = journal;
  const own = {
    writes,
    badAnswers,
    doubles,
    arrivals: world.receivers.arrivals,
  };
  return { ...own, rows, ads, orders, events, endpoints, deliveries, attempts, bulks, images, answers, workflows };
}

type Row = Readonly<Record<string, unknown>>;
const text = (value: unknown): string => String(value);
const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const time = (value: unknown): number => (value instanceof Date ? value.getTime() : 0);
const has = (value: unknown): boolean => value !== undefined && value !== null;

type Projection = Readonly<Record<string, 1>>;

async function readAll<Value>(
  { foundation }: Pick<World, 'foundation'>,
  [collection, projection]: readonly [name: string, projection: Projection],
  map: (row: Row) => Value,
): Promise<Value[]> {
  const rows = await foundation.store.connection.collection(collection).find({}, { projection }).toArray();
  return rows.map((row) => map(row));
}

function readRows(world: World): Promise<Observed['rows']> {
  return readAll(world, ['items', {}], (row) => {
    const content = row['content'] as { title: string; priceOre: number };
    const processing = row['processing'] as Readonly<Record<string, unknown>> & { waitingFor: string | null };
    const listings = row['listings'] as { state: string; adId: string | null }[];
    const { images } = row['imageSet'] as { images: { state: string; contentHash: string | null }[] };
    return {
      id: text(row['_id']),
      account: text(row['accountId']),
      externalId: text(row['externalId']),
      current: row['current'] === true,
      title: content.title,
      shownTitle: shownTitle(row) ?? content.title,
      price: content.priceOre / 100,
      serviceStatus: text(row['serviceStatus']),
      marketplaceStatus: text(row['marketplaceStatus']),
      isSettled: row['revision'] === row['settledRevision'],
      isBlocked: typeof row['blockedReason'] === 'string',
      waitingFor: processing.waitingFor,
      owes: JSON.stringify({ ...processing, startAt: row['startAt'] }),
      sequence: Number(row['sequence']),
      createdAt: time(row['createdAt']),
      takenDown: listings.flatMap(({ state, adId }) => (state === 'removed' && adId !== null ? [adId] : [])),
      images: images.flatMap(({ state, contentHash }) =>
        state === 'hosted' && contentHash !== null ? [contentHash] : [],
      ),
    };
  });
}

/** What the running auction still shows, by the row: its title can't be changed. */
function shownTitle({ listings }: Row): string | null {
  const newest = (listings as { shows: { field: string; value: string }[] }[]).at(-1);
  const still = newest?.shows.find(({ field }) => field === 'title');
  return still === undefined ? null : (JSON.parse(still.value) as string);
}

interface ListedAd {
  readonly itemId: number;
  readonly ownReferences: readonly string[];
  readonly userId: string;
  readonly state: Ad['state'];
  readonly title: string;
  readonly startPrice: number;
  readonly bidCount: number;
  readonly updatedAt: string;
  readonly endsAt: string | null;
}

async function readAds({ marketplaceAdminUrl }: World): Promise<Ad[]> {
  const { listings } = await callAdmin<{ listings: ListedAd[] }>(`${marketplaceAdminUrl}/listings`);
  return listings.map((listing) => ({
    adId: text(listing.itemId),
    account: listing.userId,
    externalId: listing.ownReferences[0] ?? '',
    itemId: listing.ownReferences[1] ?? '',
    state: listing.state,
    title: listing.title,
    startPrice: listing.startPrice,
    hasBids: listing.bidCount > 0,
    // A draft that was never committed, or taken away before the marketplace had looked at it, was never an auction.
    wasUp: listing.state !== 'uncommitted' && listing.state !== 'waiting' && listing.endsAt !== null,
    updatedAt: Date.parse(listing.updatedAt),
  }));
}

async function readEvents(world: World, accounts: readonly Account[]): Promise<Observed['events']> {
  // As a reader of the feed would have them.
  for (const { id } of accounts) while (await numberEvents(world.foundation.store, accountId(id)));
  return readAll(world, ['events', {}], (row) => ({
    id: text(row['_id']),
    account: text(row['accountId']),
    number: Number(row['number']),
    type: text(row['type']),
    itemId: text(row['itemId']),
    sequence: Number(row['sequence']),
    adId: textOrNull((row['data'] as Row)['marketplaceAdId']),
    acceptedAt: time(row['acceptedAt']),
  }));
}

async function readEndpoints(world: World, accounts: readonly Account[]): Promise<Endpoint[]> {
  const rows = await readAll(world, ['webhook_endpoints', { active: 1, failCount: 1 }], (row) => row);
  const byId = new Map(rows.map((row) => [text(row['_id']), row]));
  return accounts.flatMap((account) =>
    account.endpoints.map((endpoint) => {
      const row = byId.get(endpoint.id);
      return {
        ...endpoint,
        account: account.id,
        active: row?.['active'] === true,
        failCount: Number(row?.['failCount']),
      };
    }),
  );
}

const readDeliveries = (world: World): Promise<Observed['deliveries']> =>
  readAll(
    world,
    ['deliveries', { eventId: 1, endpointId: 1, purpose: 1, ordinal: 1, state: 1, attempts: 1, missed: 1 }],
    (row) => ({
      id: text(row['_id']),
      eventId: text(row['eventId']),
      endpointId: text(row['endpointId']),
      purpose: text(row['purpose']),
      ordinal: Number(row['ordinal']),
      state: text(row['state']),
      attempts: Number(row['attempts']),
      missed: row['missed'] === true,
    }),
  );

const readAttempts = (world: World): Promise<Observed['attempts']> =>
  readAll(
    world,
    ['delivery_attempts', { deliveryId: 1, attempt: 1, status: 1, errorMessage: 1, createdAt: 1 }],
    (row) => ({
      deliveryId: text(row['deliveryId']),
      attempt: Number(row['attempt']),
      status: text(row['status']),
      interrupted: textOrNull(row['errorMessage'])?.startsWith('interrupted') === true,
      at: time(row['createdAt']),
    }),
  );

async function readBulks(world: World, { bulks }: Journal): Promise<Observed['bulks']> {
  const rows = new Map(
    (await readAll(world, ['bulk_syncs', {}], (row) => row)).map((row) => [text(row['_id']), row] as const),
  );
  const reports = await readAll(world, ['bulk_errors', {}], (row) => {
    const { severity, code, externalId } = row['error'] as Row;
    const upload = text(row['_id']).split(':')[0];
    return { upload, isError: severity === 'error', code: text(code), externalId: text(externalId) };
  });
  const errors = reports.filter(({ isError }) => isError);
  return bulks.map((upload) => {
    const row = rows.get(upload.id);
    const count = (name: string): number => Number(row?.[name] ?? 0);
    const failed = count('failed');
    const counted = count('created') + count('updated') + count('unchanged') + failed;
    const own = errors.filter(({ upload: of }) => of === row?.['uploadId']);
    const state = has(row) ? text(row?.['state']) : 'unknown to the service';
    return { ...upload, state, counted, failed, errors: own };
  });
}

async function readImages(world: World): Promise<Observed['images']> {
  const root = join(world.folder, 'images');
  const folders = await readdir(root).catch(() => []);
  const files = await Promise.all(
    folders
      .filter((account) => !account.startsWith('.'))
      .map(async (account) => (await readdir(join(root, account))).map((hash) => `${account}/${hash}`)),
  );
  const whole: string[] = [];
  for (const key of files.flat()) {
    const names = new Set(await readdir(join(root, key)));
    if (Object.keys(imageSizes).every((size) => names.has(`${size}.jpg`))) whole.push(key);
  }
  const records = await readAll(world, ['image_records', {}], (row) => text(row['_id']));
  // What an upload left that broke off for good is named when its claim is void, a day later.
  const claimed = new Set(await readAll(world, ['image_claims', {}], (row) => text(row['accountId'])));
  const unnamed = files.flat().filter((key) => claimed.has(key.split('/')[0] ?? ''));
  return { files: files.flat(), whole, records: [...records, ...unnamed] };
}

/** What each partner reads at the end. */
async function readAnswers(
  { apiUrls: [apiUrl] }: World,
  accounts: readonly Account[],
  { writes }: Journal,
): Promise<Observed['answers']> {
  const limit = pLimit(8);
  const keys = new Set(writes.map(({ account, externalId }) => `${account}/${externalId}`));
  const read = async (key: string) => {
    const [accountId = '', externalId = ''] = key.split('/');
    const headers = accounts.find(({ id }) => id === accountId)?.headers ?? {};
    const answer = await fetch(`${apiUrl}/integration/v1/items/${externalId}`, { headers });
    if (answer.status === 404) return [key, null] as const;
    if (answer.status !== 200) throw new Error(`GET ${externalId} answered ${answer.status}: ${await answer.text()}`);
    const { serviceStatus, marketplaceStatus, price } = (await answer.json()) as Record<string, unknown>;
    const seen = {
      serviceStatus: text(serviceStatus),
      marketplaceStatus: text(marketplaceStatus),
      price: Number(price),
    };
    return [key, seen] as const;
  };
  return Object.fromEntries(await Promise.all([...keys].map((key) => limit(read, key))));
}

/** The Temporal server is this run's own, so all that it knows is the product's. */
async function readWorkflows({ foundation }: World): Promise<Observed['workflows']> {
  const list = async (condition: string): Promise<string[]> => {
    const ids: string[] = [];
    for await (const run of foundation.client.workflow.list({ query: condition })) ids.push(run.workflowId);
    return ids;
  };
  const ended = await list(`ExecutionStatus IN ('Failed', 'TimedOut', 'Terminated', 'Canceled')`);
  const failing = await list('TemporalReportedProblems IS NOT NULL AND ExecutionStatus = "Running"');
  return { running: await list(`ExecutionStatus = 'Running'`), broken: [...ended, ...failing] };
}
