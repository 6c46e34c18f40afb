import { Schema } from 'mongoose';
import type { AccountId } from '../../rules/ids.ts';
import { defineCollection, type StoreConnection } from '../../../platform/database/connection.ts';

/** A login at the marketplace that was begun: a person is on the marketplace's page, or never came back from it. */
export interface MarketplaceLoginRow {
  /** Comes back with the browser. It is no credential: only the session of the same account completes the login. */
  readonly _id: string;
  readonly accountId: AccountId;
  readonly secretEncrypted: string;
  readonly expiresAt: Date;
}

const schema = new Schema(
  { _id: String, accountId: String, secretEncrypted: String, expiresAt: Date },
  { versionKey: false, strict: 'throw' },
);
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
const logins = defineCollection<MarketplaceLoginRow>('marketplace_logins', schema);

export async function insertMarketplaceLogin(store: StoreConnection, row: MarketplaceLoginRow): Promise<void> {
  await logins(store).insertMany([row]);
}

/** null when the account began no such login, or its time is over. */
export function findMarketplaceLogin(
  store: StoreConnection,
  accountId: AccountId,
  { id, now }: { id: string; now: Date },
): Promise<MarketplaceLoginRow | null> {
  return logins(store)
    .findOne({ _id: id, accountId, expiresAt: { $gt: now } })
    .lean<MarketplaceLoginRow>()
    .exec();
}

export async function deleteMarketplaceLogin(store: StoreConnection, accountId: AccountId, id: string): Promise<void> {
  await logins(store).deleteOne({ _id: id, accountId });
}
