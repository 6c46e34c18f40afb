import { LRUCache } from 'lru-cache';
import { totalItems } from '../partner/rules/analytics.ts';
import type { Refusal } from '../rules/errors.ts';
import type { AccountId } from '../rules/ids.ts';
import { tooManyItems } from './rules/storage-quota.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { readItemCountsNow } from '../items/store/inventory-counts.ts';

export interface ItemRoom {
  /** How many of the wanted new items the account may have. */
  readonly granted: number;
  /** The refusal of the other items. */
  readonly refusal: Refusal;
}

export type TakeRoom = (accountId: AccountId, wanted: number) => Promise<ItemRoom>;

const rememberedMs = 30_000;
/** Room that a deletion made is refused for so long. */
const rememberedFullMs = 10_000;

/**
 * The count is read once in 30 seconds per account that creates items, and once in 10 seconds while it has no room.
 * Several processes may together grant too many: at most the items they create for an account in that time.
 */
export function createItemRoom({
  store,
  itemsMax,
  now,
}: {
  readonly store: StoreConnection;
  readonly itemsMax: number;
  readonly now: () => Date;
}): TakeRoom {
  const known = new LRUCache<string, { readonly used: number; readonly readAtMs: number }>({ max: 10_000 });
  const read = async (accountId: AccountId) => {
    const readAtMs = now().getTime();
    return { used: totalItems(await readItemCountsNow(store, accountId)), readAtMs };
  };
  return async (accountId, wanted) => {
    const remembered = known.get(accountId);
    const isEnough = remembered !== undefined && remembered.used + wanted <= itemsMax;
    const isFresh =
      remembered !== undefined && now().getTime() < remembered.readAtMs + (isEnough ? rememberedMs : rememberedFullMs);
    const { used, readAtMs } = isFresh ? remembered : await read(accountId);
    const granted = Math.max(0, Math.min(wanted, itemsMax - used));
    known.set(accountId, { used: used + granted, readAtMs });
    return { granted, refusal: tooManyItems(used + granted, { itemsMax }) };
  };
}
