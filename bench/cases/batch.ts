import { randomUUID } from 'node:crypto';
import { accountId } from '../../features/rules/ids.ts';
import { itemFromRow, rowFromItem, type ItemRow } from '../../features/items/store/item-row.ts';
import { setUpAccount, type ApiAccount } from '../../test/support/set-up-account.ts';
import { bareCollection, timedChunks } from '../support/bare-collection.ts';
import { createdItem, itemBody, startPrice } from '../support/catalogue.ts';
import { shared, spend, untilQuiet, type Pids } from '../support/cpu.ts';
import { startProduct, type Product } from '../support/product.ts';
import { roundCases, type BenchCase, type Round as Measure } from '../support/result.ts';
import { pidOf, type BenchServers } from '../support/servers.ts';

export interface BatchPlan {
  readonly rounds: number;
  /** Rows of each round, new ones and the same ones changed. */
  readonly rows: number;
}

/** As many as a batch may have, and as many batches under way as a bulk sync has chunks. */
const [batchRows, atOnce] = [500, 4];
const writes = ['new', 'changed'] as const;
type Write = (typeof writes)[number];
const goals: Readonly<Record<Write, number>> = { new: 0.7, changed: 0.6 };

type Round = Readonly<Record<Write, Measure>>;

/**
 * `POST …/items/batch` over HTTP beside upserts of the same documents by `bulkWrite` in this process, into a collection with the same
 * indexes. Both in batches of 500, four under way; they take turns. Nobody works on the items: that is the same as of single writes.
 */
export async function measureBatch(servers: BenchServers, { rounds, rows }: BatchPlan): Promise<BenchCase[]> {
  await using product = await startProduct(servers, { withWorker: false });
  const [own, bare]: [Round[], Round[]] = [[], []];
  const pids = { api: pidOf(product.api), mongod: pidOf(servers.mongod) };
  // mongod is a child of this process, so its time is in there.
  const barePids = { all: process.pid };
  // The first round of each is for warming up.
  for (let round = 0; round <= rounds; round += 1) {
    await untilQuiet(pids);
    const bareRound = await playBare(product, rows, barePids);
    await untilQuiet(pids);
    const ownRound = await playOwn(product, rows, pids);
    if (round === 0) continue;
    bare.push(bareRound);
    own.push(ownRound);
  }
  return writes.flatMap((write) => {
    const of = (rounds: readonly Round[]): Measure[] => rounds.map((round) => round[write]);
    const wanted = { rate: { goal: goals[write] } };
    return roundCases(`batch, ${write} items`, { own: of(own), floor: of(bare) }, wanted);
  });
}

async function timed(chunks: readonly (() => Promise<unknown>)[], rows: number, pids: Pids): Promise<Measure> {
  const { ms, cpuMsOf } = await spend(pids, () => timedChunks(chunks, atOnce));
  return { perSecond: (rows * 1_000) / ms, cpuMsEachOf: shared(cpuMsOf, rows) };
}

const chunksOf = (rows: number): number[] =>
  Array.from({ length: Math.ceil(rows / batchRows) }, (_, chunk) => chunk * batchRows);
const numbers = Array.from({ length: batchRows }, (_, n) => n);

const messages: Readonly<Record<Write, string>> = { new: '"Item created"', changed: '"Item updated"' };

async function playOwn(product: Product, rows: number, pids: Pids): Promise<Round> {
  const account = await setUpAccount(product.foundation);
  const play = (write: Write, price: number): Promise<Measure> => {
    const bodies = chunksOf(rows).map((from) => {
      const items = numbers.map((n) => ({ externalId: `row-${from + n}`, ...itemBody(price) }));
      return JSON.stringify({ items });
    });
    return timed(
      bodies.map((body) => () => post(product, account, { body, expected: messages[write] })),
      rows,
      pids,
    );
  };
  return { new: await play('new', startPrice), changed: await play('changed', startPrice + 1) };
}

async function post(
  { apiUrl }: Product,
  { headers }: ApiAccount,
  { body, expected }: { body: string; expected: string },
): Promise<void> {
  const answer = await fetch(`${apiUrl}/integration/v1/items/batch`, { method: 'POST', headers, body });
  const text = await answer.text();
  if (answer.status !== 200 || text.split(expected).length - 1 !== batchRows)
    throw new Error(`a batch was answered ${answer.status}: ${text.slice(0, 300)}`);
}

async function playBare({ foundation }: Product, rows: number, pids: Pids): Promise<Round> {
  const bare = await bareCollection(foundation.store);
  const account = accountId(randomUUID());
  const batches = chunksOf(rows).map((from) =>
    numbers.map((n) => rowFromItem(createdItem(account, `row-${from + n}`))),
  );
  const play = (rowsOf: (row: ItemRow) => ItemRow): Promise<Measure> =>
    timed(
      batches.map((batch) => bare.upsert(batch.map(rowsOf))),
      rows,
      pids,
    );
  const round = { new: await play((row) => row), changed: await play(changed) };
  await bare.drop();
  return round;
}

/** What another price does to a row: it is owed again, and was updated later. */
function changed(row: ItemRow): ItemRow {
  const item = itemFromRow(row);
  const price = { ...item.content, priceOre: item.content.priceOre + 100 };
  return rowFromItem({
    ...item,
    content: price,
    revision: item.revision + 1,
    version: item.version + 1,
    updatedAt: new Date(),
  });
}
