import { Schema, type ClientSession } from 'mongoose';
import type { AccountId } from '../../rules/ids.ts';
import type { CommissionTerms } from '../../orders/rules/commission.ts';
import { defineCollection, type StoreConnection } from '../../../platform/database/connection.ts';
import type { StoredDealKind } from '../rules/deal.ts';

/**
 * One version of an account's deal. A change ends the version in force and adds the next. Versions are immutable, except that
 * `current` and `validTo` change once.
 */
export interface DealRow {
  readonly _id: string;
  readonly accountId: AccountId;
  readonly kind: StoredDealKind;
  /** Only for a reseller_agreement: commission on the members' combined sales, in hundredths of a per cent. */
  readonly commissionBps: number | null;
  /** Only for a reseller_agreement that names it: direct sales of one member that count by themselves in a month, in öre. */
  readonly directSalesMaxOre?: number | undefined;
  /** Only for a sub_account: the account's reseller. */
  readonly resellerAccountId: AccountId | null;
  /** true for the version in force; a unique index allows one per account. */
  readonly current: boolean;
  readonly validFrom: Date;
  readonly validTo: Date | null;
}

const schema = new Schema(
  {
    _id: { type: String, required: true, immutable: true },
    accountId: { type: String, required: true, immutable: true },
    kind: { type: String, required: true, enum: ['reseller_agreement', 'sub_account'], immutable: true },
    commissionBps: { type: Number, default: null, immutable: true },
    directSalesMaxOre: { type: Number, immutable: true },
    resellerAccountId: { type: String, default: null, immutable: true },
    current: { type: Boolean, required: true },
    validFrom: { type: Date, required: true, immutable: true },
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

/** The deals in force for an account at a sale. */
export interface SaleTerms {
  /** Version of the account's own deal; null is `consumer_default`. */
  readonly dealId: string | null;
  /** Only for a reseller's member: the terms of its reseller. */
  readonly commission: CommissionTerms | null;
}

const noTerms: SaleTerms = { dealId: null, commission: null };

/**
 * The versions in force at a time, the account's own and its reseller's. Both are read in a transaction, because an agreement
 * ends together with the deals of its members.
 */
export async function findSaleTerms(
  store: StoreConnection,
  accountId: AccountId,
  { at, session }: { readonly at: Date; readonly session: ClientSession },
): Promise<SaleTerms> {
  const inForce = { validFrom: { $lte: at }, $or: [{ validTo: null }, { validTo: { $gt: at } }] };
  const latest = [{ $sort: { validFrom: -1 } }, { $limit: 1 }] as const;
  const agreement = [{ $match: { ...inForce, kind: 'reseller_agreement' } }, ...latest];
  const reseller = { localField: 'resellerAccountId', foreignField: 'accountId' };
  const [deal] = await deals(store)
    .aggregate<DealRow & { readonly agreements: readonly DealRow[] }>([
      { $match: { accountId, ...inForce } },
      ...latest,
      { $lookup: { from: 'deals', ...reseller, pipeline: agreement, as: 'agreements' } },
    ])
    .session(session)
    .exec();
  return deal === undefined ? noTerms : { dealId: deal._id, commission: commissionTermsOf(deal.agreements[0]) };
}

function commissionTermsOf(agreement: DealRow | undefined): CommissionTerms | null {
  if (agreement === undefined || agreement.commissionBps === null) return null;
  const { _id, accountId, commissionBps } = agreement;
  return { resellerAccountId: accountId, agreementId: _id, commissionBps };
}

/** What the agreement names as the sum of direct sales that count by themselves; undefined where it names none. */
export async function findDirectSalesMax(
  store: StoreConnection,
  { resellerAccountId, agreementId }: Pick<CommissionTerms, 'resellerAccountId' | 'agreementId'>,
  session: ClientSession,
): Promise<number | undefined> {
  const agreement = { _id: agreementId, accountId: resellerAccountId };
  return (await deals(store).findOne(agreement).session(session).lean<DealRow>().exec())?.directSalesMaxOre;
}

export async function hasResellerAgreement(store: StoreConnection, accountId: AccountId): Promise<boolean> {
  const deal = await findCurrentDeal(store, accountId);
  return deal?.kind === 'reseller_agreement';
}

/** Whether the account is a reseller, or was one. */
export async function hasHadAgreement(
  store: StoreConnection,
  accountId: AccountId,
  session: ClientSession,
): Promise<boolean> {
  return (await deals(store).exists({ accountId, kind: 'reseller_agreement' }).session(session)) !== null;
}

/** Inserts the next version of an account's deal, in a transaction. */
export async function insertDeal(store: StoreConnection, row: DealRow, session: ClientSession): Promise<void> {
  await deals(store).create([row], { session });
}

/** Ends the version in force, in a transaction. */
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

/** Ends the deals of a reseller's members that are in force. */
export async function endMemberDeals(
  store: StoreConnection,
  resellerAccountId: AccountId,
  end: { members: readonly AccountId[]; at: Date; session: ClientSession },
): Promise<void> {
  await deals(store).updateMany(
    { accountId: { $in: [...end.members] }, kind: 'sub_account', resellerAccountId, current: true },
    { $set: { current: false, validTo: end.at } },
    { session: end.session },
  );
}
