import { randomUUID } from 'node:crypto';
import { accountId, bulkSyncId, itemId, type AccountId } from '../../features/rules/ids.ts';
import type { ItemContent } from '../../features/items/rules/item-content.ts';
import type { Item } from '../../features/items/rules/item.ts';
import type { Scope } from '../../features/rules/scope.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { itemFromRow } from '../../features/items/store/item-row.ts';
import { createItemLineStore } from '../../features/items/store/item-lines.ts';
import { itemCollection } from '../../features/items/store/item-collection.ts';
import { isConflict } from '../../features/items/store/accept-writes.ts';
import { createItemStore } from '../../features/items/store/items.ts';
import {
  applyLines,
  decideLines,
  groupsOf,
  type BulkOrigin,
  type ItemLine,
  type LineDependencies,
  type LineResult,
} from '../../features/items/apply-lines.ts';
import { writesOf } from '../../features/bulk-syncs/apply-piece.ts';
import { createItemWrites } from './item-writes.ts';
import { decideRemovals, type RemovalLine } from '../../features/items/remove-lines.ts';
import { retryOnConflict } from '../../features/items/write-item.ts';
import { createKeyedMutex } from '../../platform/concurrency/keyed-mutex.ts';
import { anItemRequest } from './an-item-request.ts';
import { noon } from './an-item.ts';

export const aLine = (line: number, externalId: string, content: Partial<ItemContent> = {}): ItemLine => ({
  line,
  externalId,
  request: anItemRequest(content),
});

function orConflict(error: unknown): true {
  if (isConflict(error)) return true;
  throw error;
}

/** One account whose items are written one by one and many at a time. */
export function createLineWorld(store: StoreConnection, options: { now?: () => Date } = {}) {
  const account: AccountId = accountId(randomUUID());
  const scope: Scope = {
    accountId: account,
    actingAccountId: account,
    credential: { kind: 'api-key', keyId: 'key-1' },
    requestId: 'request-1',
  };
  const items = createItemStore(store);
  const confirmed: Scope[] = [];
  const surroundings = {
    confirmCredential: async (of: Scope) => {
      confirmed.push(of);
    },
    newItemId: () => itemId(randomUUID()),
    now: options.now ?? (() => noon),
  };
  const singles = createItemWrites({ items, ...surroundings });
  const databaseNow = async (): Promise<Date> => {
    const hello = await store.connection.getClient().db('admin').command({ hello: 1 });
    return hello['localTime'] as Date;
  };
  /** Of lines: by default with all of the store. */
  const dependencies = () => ({
    ...surroundings,
    runExclusive: createKeyedMutex(),
    lines: createItemLineStore(store),
  });
  /** As a piece of a bulk sync. */
  const applyBulk = async (
    parts: LineDependencies,
    lines: readonly ItemLine[],
    bulk: BulkOrigin,
  ): Promise<readonly LineResult[]> => {
    const decided = await retryOnConflict(async () => {
      const wanted = await decideLines(parts, scope, { groups: groupsOf(lines), bulk });
      const isMet = await parts.lines
        .writeWith(writesOf(wanted), () => Promise.resolve())
        .then(() => false, orConflict);
      return isMet ? null : wanted;
    });
    const results = new Map(decided.flatMap(({ decision }) => decision.results.map((of) => [of.line, of])));
    return lines.flatMap(({ line }) => results.get(line) ?? []);
  };
  return {
    account,
    scope,
    items,
    confirmed,
    singles,
    /** A time of the database that is over when this returns. */
    databaseTime: async (): Promise<Date> => {
      const time = await databaseNow();
      while ((await databaseNow()).getTime() <= time.getTime() + 1);
      return time;
    },
    put: (externalId: string, content: Partial<ItemContent> = {}) =>
      singles.upsert(scope, { externalId, request: anItemRequest(content) }),
    apply: (lines: readonly ItemLine[], bulk?: BulkOrigin) =>
      bulk === undefined ? applyLines(dependencies(), scope, { lines }) : applyBulk(dependencies(), lines, bulk),
    /** While a bulk sync that was accepted earlier may still write. */
    applyOvertaking: (lines: readonly ItemLine[], bulk: BulkOrigin) =>
      applyBulk({ ...dependencies(), hasOlderBulk: () => Promise.resolve(true) }, lines, bulk),
    validate: (lines: readonly ItemLine[]) => applyLines(dependencies(), scope, { lines, validateOnly: true }),
    remove: async (removed: readonly RemovalLine[], bulk: BulkOrigin & { removedBefore: Date }) => {
      const { lines, ...around } = dependencies();
      const { changes, results } = await decideRemovals({ lines, ...around }, scope, { items: removed, bulk });
      await lines.writeWith({ changes, unchanged: [] }, () => Promise.resolve());
      return results;
    },
    /** All of its items, former ones too, oldest first. */
    all: async (): Promise<Item[]> =>
      (await itemCollection(store).find({ accountId: account }).sort({ externalId: 1, sequence: 1 }).toArray()).map(
        itemFromRow,
      ),
    current: async (externalId: string): Promise<Item> => {
      const item = await items.findCurrent(account, externalId);
      if (item === null) throw new Error(`there is no ${externalId}`);
      return item;
    },
  };
}
export type LineWorld = ReturnType<typeof createLineWorld>;

export const aBulk = (acceptedAt: Date, change: Partial<BulkOrigin> = {}): BulkOrigin => ({
  bulkId: bulkSyncId(randomUUID()),
  acceptedAt,
  ...change,
});

/** Outcomes, or the code of the refusal, in order. */
export const outcomesOf = (results: Awaited<ReturnType<LineWorld['apply']>>): string[] =>
  results.map((result) => ('refusal' in result ? result.refusal.code : result.outcome));
