import { randomUUID } from 'node:crypto';
import { BSON } from 'mongodb';
import { accountId, itemId, type AccountId } from '../../features/rules/ids.ts';
import { settle } from '../../features/items/rules/owed-work.ts';
import type { Item } from '../../features/items/rules/item.ts';
import { theService } from '../../features/items/rules/journal.ts';
import { createItem } from '../../features/items/rules/upsert-item.ts';
import { readItemRequest } from '../../schemas/items/read-item-request.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { rowFromItem, type ItemRow } from '../../features/items/store/item-row.ts';

/** What an ERP sends for a used part: about 1 KB. Without images, because their download is measured elsewhere. */
export const itemBody = (price: number): object => ({
  title: 'Strålkastare vänster Volvo V70 2014 xenon',
  description: 'Begagnad originaldel, demonterad och provad. '.repeat(8).trim(),
  price,
  shippingCost: 149,
  weightKg: 4.2,
  currency: 'SEK',
  imageUrls: [],
  schemaVersion: '1.0.0',
  domain: {
    domain: 'auto_parts',
    vehicle: { manufacturer: 'Volvo', model: 'V70', year: 2014, vehicleType: 'Bil' },
    part: {
      name: 'Strålkastare vänster',
      oemNumber: '31420258',
      catalogCodes: { fenix: 'F-2231-77', laga: '8841', bildelsbasen: 'SBR:7150' },
    },
    conditionGrade: 'B',
    conditionNote: 'Liten repa i glaset, påverkar inte funktionen.',
  },
});

export const startPrice = 1_000;
/** Read once: makers of events have other things to do while they are measured. */
const request = readItemRequest(itemBody(startPrice));

/** An item that was pushed with this body a while ago and owes nothing. */
export function settledItem(account: AccountId, externalId: string): Item {
  const item = createdItem(account, externalId);
  return settle({ ...item, outbox: [], journal: [], imageSet: { ...item.imageSet, announced: true } }, item.createdAt);
}

/** An item as it is right after its first push: with the event item.created, which nobody has sent yet. */
export const createdItem = (account: AccountId, externalId: string): Item =>
  createItem({
    id: itemId(randomUUID()),
    accountId: account,
    externalId,
    request,
    sequenceBefore: 0,
    actor: theService,
    now: new Date(),
  });

/** Straight into the database: settled, so that no work is owed before a measurement begins, or due at once. */
export async function storeItems(
  { connection }: StoreConnection,
  account: AccountId,
  { names, as }: { readonly names: readonly string[]; readonly as: 'settled' | 'due' },
): Promise<void> {
  const make = (name: string) =>
    as === 'settled' ? settledItem(account, name) : { ...createdItem(account, name), startAt: new Date() };
  await connection.collection<ItemRow>('items').insertMany(names.map((name) => rowFromItem(make(name))));
}

/** How much the bare route's document lacks to be as large as the product's. */
export function paddingBytes(): number {
  const now = new Date();
  const account = accountId(randomUUID());
  const ids = { _id: randomUUID(), accountId: account, externalId: 'size-1' };
  const bare = { ...ids, content: itemBody(startPrice), padding: '', createdAt: now, updatedAt: now };
  const product = rowFromItem(createdItem(account, ids.externalId));
  return Math.max(0, BSON.calculateObjectSize(product) - BSON.calculateObjectSize(bare));
}
