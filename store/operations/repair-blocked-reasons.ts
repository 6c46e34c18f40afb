import type { StoreConnection } from '../database/connection.ts';
import { itemFromRow, rowFromItem, type ItemRow } from '../items/item-row.ts';
import { itemCollection } from '../items/items.ts';

export interface TroubleRepair {
  readonly looked: number;
  readonly repaired: number;
}

const rowsAtOnce = 500;

/**
 * Notes at every item what it stands still for (`blockedReason`), where a version that did not know of it has left that out or behind. In
 * pages by id, beside everything else; done again, it changes nothing. An item that is written meanwhile is left as that write has it.
 */
export async function repairTrouble(
  store: StoreConnection,
  { onPage }: { readonly onPage?: (soFar: TroubleRepair) => void } = {},
): Promise<TroubleRepair> {
  const items = itemCollection(store);
  let soFar: TroubleRepair = { looked: 0, repaired: 0 };
  let after = '';
  for (;;) {
    const rows = await items
      .find({ _id: { $gt: after } })
      .sort({ _id: 1 })
      .limit(rowsAtOnce)
      .toArray();
    const last = rows.at(-1);
    if (last === undefined) return soFar;
    after = last._id;
    const repairs = rows.flatMap(repairOf);
    const modified = repairs.length === 0 ? 0 : (await items.bulkWrite(repairs, { ordered: false })).modifiedCount;
    soFar = { looked: soFar.looked + rows.length, repaired: soFar.repaired + modified };
    onPage?.(soFar);
  }
}

/** None for a row that is right. */
function repairOf(stored: ItemRow) {
  const { blockedReason, blockedSince } = rowFromItem(itemFromRow(stored));
  // Absent in old rows, which is as good as null to whoever looks.
  const before: Partial<Pick<ItemRow, 'blockedReason' | 'blockedSince'>> = stored;
  const [reasonBefore, sinceBefore] = [before.blockedReason ?? null, before.blockedSince ?? null];
  if (reasonBefore === blockedReason && sinceBefore?.getTime() === blockedSince?.getTime()) return [];
  const filter = { _id: stored._id, version: stored.version };
  return [{ updateOne: { filter, update: { $set: { blockedReason, blockedSince } } } }];
}
