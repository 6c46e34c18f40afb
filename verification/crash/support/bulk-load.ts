import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import { setUpReseller, type ApiReseller } from '../../../test/support/set-up-reseller.ts';
import { until } from '../../../test/support/until.ts';
import type { System } from './system.ts';

/** A file over several members that all use the same external ids, and what has to come of it. */
export interface BulkLoad {
  readonly reseller: ApiReseller;
  readonly text: string;
  readonly counts: BulkCounts;
  /** Numbers of the lines that fail. */
  readonly failing: readonly number[];
  readonly itemsEach: number;
}

export interface BulkCounts {
  readonly total: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
  readonly warned: number;
  readonly repeated: number;
  readonly removed: number;
}

const membersCount = 5;
/** Of so many items one comes again with another price, and one as it was. */
const again = 10;

/** `lines` is about how many there are. */
export async function prepareBulk(system: System, lines: number): Promise<BulkLoad> {
  const reseller = await setUpReseller(system.foundation, membersCount);
  const itemsEach = Math.round(lines / membersCount / (1 + 2 / again));
  const rows: object[] = [];
  const failing: number[] = [];
  const add = (account: string, n: number, fields: object = {}): number =>
    rows.push({ externalId: `ART-${n}`, account, title: `Vara ${n}`, price: 100, imageUrls: [], ...fields });
  for (let n = 0; n < itemsEach; n += 1) for (const { reference } of reseller.members) add(reference, n);
  for (let n = 0; n < itemsEach; n += again) {
    for (const { reference } of reseller.members) add(reference, n, { price: 200 });
    for (const { reference } of reseller.members) add(reference, n + 1);
    failing.push(add('butik-1', n, { price: 0 }), add('no-member', n));
  }
  const updated = Math.ceil(itemsEach / again) * membersCount;
  const created = itemsEach * membersCount;
  // Each line that comes again is warned of, unless it fails; one of an unknown member repeats none.
  const repeats = { warned: 2 * updated, repeated: 2 * updated + failing.length / 2 };
  const failed = failing.length;
  const counts = { total: rows.length, created, updated, unchanged: updated, failed, ...repeats, removed: 0 };
  const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  return { reseller, text, counts, failing, itemsEach };
}

const path = '/integration/v1/bulk-syncs';

/** Uploads the file and gives the id of its bulk sync. */
export async function uploadBulk({ apiUrl }: System, { reseller, text }: BulkLoad): Promise<string> {
  const headers = { 'x-api-key': reseller.apiKey, 'content-type': 'application/x-ndjson' };
  const answer = await fetch(`${apiUrl}${path}`, { method: 'POST', headers, body: text });
  if (answer.status !== 202) throw new Error(`the upload was answered ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { id: string }).id;
}

/** Sends the first half of the file and then nothing more; resolves when the product has begun to store it. */
export async function uploadHalf(system: System, { reseller, text }: BulkLoad): Promise<{ broken: Promise<unknown> }> {
  const headers = { 'x-api-key': reseller.apiKey, 'content-type': 'application/x-ndjson' };
  const call = request(`${system.apiUrl}${path}`, { method: 'POST', headers });
  const broken = new Promise((resolve) => {
    call.once('error', resolve);
    call.once('response', (response) => {
      resolve(response.statusCode);
    });
  });
  call.write(text.slice(0, text.length / 2));
  const chunks = system.foundation.store.connection.collection('bulk_chunks');
  await until('a part of the upload is stored', async () => (await chunks.countDocuments()) > 0);
  return { broken };
}

interface BulkRow extends BulkCounts {
  readonly state: string;
}

/** As the database has it; null while it has none, or is away. */
export const storedBulk = ({ foundation }: System): Promise<BulkRow | null> =>
  foundation.store.connection
    .collection('bulk_syncs')
    .findOne<BulkRow>({})
    .catch(() => null);

export const appliedOf = ({ created, updated, unchanged, failed }: BulkCounts): number =>
  created + updated + unchanged + failed;

/** Waits until it is completed and asserts that every line was applied once, whatever died meanwhile. */
export async function assertBulk(
  t: ExecutionContext,
  system: System,
  { load, id }: { load: BulkLoad; id: string },
): Promise<void> {
  const answer = await until(
    'the bulk sync is completed',
    async () => {
      // By the interface, which answers what a majority of the database has: a look past it may be ahead.
      const bulk = JSON.parse(await readPatiently(system, load, `${path}/${id}`)) as BulkRow;
      return bulk.state === 'completed' && bulk;
    },
    300_000,
  );
  t.like(answer, { state: 'completed', ...load.counts });
  const errors = (await readPatiently(system, load, `${path}/${id}/errors`)).split('\n').filter((line) => line !== '');
  const reports = errors.map((line) => JSON.parse(line) as { line: number; severity: string });
  const linesOf = (severity: string) =>
    reports.flatMap((report) => (report.severity === severity ? [report.line] : []));
  t.deepEqual(linesOf('error'), load.failing);
  t.is(linesOf('warning').length, load.counts.warned);
  await assertItems(t, system, load);
}

/** A process that was killed may need a moment. */
async function readPatiently({ apiUrl }: System, { reseller }: BulkLoad, at: string): Promise<string> {
  return until(`an answer from ${at}`, async () => {
    const answer = await fetch(apiUrl + at, { headers: { 'x-api-key': reseller.apiKey } }).catch(() => null);
    if (answer?.status === 200) return answer.text();
    await pause(100);
    return null;
  });
}

interface ItemRow {
  readonly _id: string;
  readonly externalId: string;
  readonly content: { readonly priceOre: number };
}

interface JournalEntry {
  readonly number: number;
  readonly kind: string;
  readonly actor: { readonly kind: string };
}

/** One item each, with the price of its last line, and in its history one entry for each line that changed it. */
async function assertItems(t: ExecutionContext, { foundation }: System, load: BulkLoad): Promise<void> {
  const collection = (name: string) => foundation.store.connection.collection(name);
  const stored = collection('items');
  t.is(
    await stored.countDocuments({ accountId: { $in: load.reseller.members.map(({ id }) => id) } }),
    load.counts.created,
  );
  for (const { id } of load.reseller.members) {
    const items = await stored.find<ItemRow>({ accountId: id }).toArray();
    t.is(new Set(items.map(({ externalId }) => externalId)).size, load.itemsEach);
    const journal = await collection('journal').find<JournalEntry & { itemId: string }>({ accountId: id }).toArray();
    const problems = items.flatMap((item) => {
      const byCaller = journal.filter(({ itemId, actor }) => itemId === item._id && actor.kind === 'reseller');
      const kinds = byCaller.toSorted((one, other) => one.number - other.number).map(({ kind }) => kind);
      const isChanged = Number(item.externalId.slice('ART-'.length)) % again === 0;
      const wanted = isChanged ? 'created updated 20000' : 'created 10000';
      const found = `${kinds.join(' ')} ${item.content.priceOre}`;
      return found === wanted ? [] : [`${item.externalId}: ${found} instead of ${wanted}`];
    });
    t.deepEqual(problems, []);
  }
}
