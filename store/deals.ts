import { Schema, type ClientSession } from 'mongoose';
import type { AccountId } from '../core/ids.ts';
import { defineCollection, type StoreConnection } from './connection.ts';

/** Kinds that are stored; an account without a current row has the default, `consumer_default`. */
export type StoredDealKind = 'reseller_agreement' | 'sub_account';

/** One version of an account's deal. A change ends the version in force and adds the next; none is ever rewritten. */
export interface DealRow {
  readonly _id: string;
  readonly accountId: AccountId;
  readonly kind: StoredDealKind;
  /** Of a reseller_agreement: what is owed on the members' combined sales, in hundredths of a per cent. */
  readonly commissionBps: number | null;
  /** Of a sub_account: whose member it is. */
  readonly resellerAccountId: AccountId | null;
  /** true for the version in force; at most one an account, by unique index. */
  readonly current: boolean;
  readonly validFrom: Date;
  readonly validTo: Date | null;
}

const schema = new Schema(
  {
    _id: { type: String, required: true },
    accountId: { type: String, required: true },
    kind: { type: String, required: true, enum: ['reseller_agreement', 'sub_account'] },
    commissionBps: { type: Number, default: null },
    resellerAccountId: { type: String, default: null },
    current: { type: Boolean, required: true },
    validFrom: { type: Date, required: true },
    validTo: { type: Date, default: null },
  },
  { versionKey: false, strict: 'throw' },
);
schema.index({ accountId: 1 }, { unique: true, partialFilterExpression: { current: true }, name: 'one_current_deal' });
schema.index({ accountId: 1, validFrom: -1 });

const deals = defineCollection<DealRow>('deals', schema);

/** null means `consumer_default`. */
export function findCurrentDeal(
  store: StoreConnection,
  accountId: AccountId,
  session?: ClientSession,
): Promise<DealRow | null> {
  return deals(store)
    .findOne({ accountId, current: true })
    .session(session ?? null)
    .lean<DealRow>()
    .exec();
}

/** The version that was in force at a time; null means `consumer_default`. */
export function findDealInForce(store: StoreConnection, accountId: AccountId, at: Date): Promise<DealRow | null> {
  return deals(store)
    .findOne({ accountId, validFrom: { $lte: at }, $or: [{ validTo: null }, { validTo: { $gt: at } }] })
    .sort({ validFrom: -1 })
    .lean<DealRow>()
    .exec();
}

export async function hasResellerAgreement(store: StoreConnection, accountId: AccountId): Promise<boolean> {
  const deal = await findCurrentDeal(store, accountId);
  return deal?.kind === 'reseller_agreement';
}

export async function insertDeal(store: StoreConnection, row: DealRow, session: ClientSession): Promise<void> {
  await deals(store).create([row], { session });
}

export async function endCurrentDeal(
  store: StoreConnection,
  accountId: AccountId,
  end: { at: Date; session: ClientSession },
): Promise<void> {
  await deals(store).updateOne(
    { accountId, current: true },
    { $set: { current: false, validTo: end.at } },
    { session: end.session },
  );
}
