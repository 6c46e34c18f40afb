import { Schema, type ClientSession } from 'mongoose';
import type { AccountId } from '../../core/ids.ts';
import type { ListingDefaults } from '../../core/listings/listing-terms.ts';
import { defineCollection, type StoreConnection } from '../database/connection.ts';

/** The terms of an account's auctions. No row: it has set none. */
interface ListingDefaultsRow {
  readonly _id: AccountId;
  readonly terms: ListingDefaults;
  readonly updatedAt: Date;
}

const schema = new Schema(
  {
    _id: { type: String, required: true },
    terms: { type: Schema.Types.Mixed, required: true },
    updatedAt: { type: Date, required: true },
  },
  { versionKey: false, strict: 'throw', minimize: false },
);

const listingDefaults = defineCollection<ListingDefaultsRow>('listing_defaults', schema);

export async function findListingDefaults(store: StoreConnection, accountId: AccountId): Promise<ListingDefaults> {
  const row = await listingDefaults(store).findById(accountId).lean<ListingDefaultsRow>().exec();
  return row?.terms ?? {};
}

/** Part of a transaction. All terms are replaced. */
export async function setListingDefaults(
  store: StoreConnection,
  accountId: AccountId,
  { terms, now, session }: { terms: ListingDefaults; now: Date; session: ClientSession },
): Promise<void> {
  const change = { $set: { terms, updatedAt: now } };
  await listingDefaults(store).updateOne({ _id: accountId }, change, { upsert: true, session });
}
