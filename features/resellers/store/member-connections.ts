import { Schema, type ClientSession } from 'mongoose';
import type { AuditEntry } from '../../accounts/rules/audit-entry.ts';
import type { AccountId } from '../../rules/ids.ts';
import { recordAudit } from '../../accounts/store/audit.ts';
import {
  defineCollection,
  isDuplicateKey,
  rowsOf,
  type StoreConnection,
} from '../../../platform/database/connection.ts';
import { batchReads, perStore } from '../../../platform/database/batch.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';

/**
 * Membership of an account at a reseller. A row exists only while the reseller holds a reseller_agreement, because the end of the
 * agreement removes its rows in the same transaction. One read therefore answers both questions of `X-Partner-Account`.
 */
export interface MemberConnectionRow {
  readonly _id: string;
  readonly resellerAccountId: AccountId;
  readonly memberAccountId: AccountId;
  /** The reseller's reference for the member: value of `X-Partner-Account` and `memberExternalId`. */
  readonly externalId: string;
  /** Whether the member lets the reseller read and handle its orders, with their buyers; absent is no. */
  readonly sharesOrders?: boolean;
  /** When the member joined, in the database's time: its reseller gets events accepted since then. */
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const schema = new Schema(
  {
    _id: { type: String, required: true },
    resellerAccountId: { type: String, required: true },
    memberAccountId: { type: String, required: true },
    externalId: { type: String, required: true },
    sharesOrders: Boolean,
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { versionKey: false, strict: 'throw' },
);
schema.index({ resellerAccountId: 1, externalId: 1 }, { unique: true });
schema.index({ memberAccountId: 1 }, { unique: true });
schema.index({ resellerAccountId: 1, createdAt: 1 });
schema.index({ externalId: 1 });

const connections = defineCollection<MemberConnectionRow>('member_connections', schema);

/** The member with the reference `externalId`, or null: an unknown reference and a missing agreement look the same. */
export async function findMemberByReference(
  store: StoreConnection,
  resellerAccountId: AccountId,
  externalId: string,
): Promise<AccountId | null> {
  return (await membersByReference(store)(resellerAccountId, externalId)) ?? null;
}

const membersByReference = perStore((store: StoreConnection) =>
  batchReads<AccountId, AccountId>(async (resellerAccountId, references) => {
    const rows = await connections(store)
      .collection.find<Pick<MemberConnectionRow, 'externalId' | 'memberAccountId'>>(
        { resellerAccountId, externalId: { $in: references } },
        { projection: { _id: 0, externalId: 1, memberAccountId: 1 } },
      )
      .toArray();
    return new Map(rows.map(({ externalId, memberAccountId }) => [externalId, memberAccountId]));
  }),
);

/** Accounts that have this reference at any reseller: for operators only. */
export async function findMembersCalled(store: StoreConnection, externalId: string): Promise<AccountId[]> {
  const rows = await connections(store).find({ externalId }, { memberAccountId: 1 }).lean<MemberConnectionRow[]>();
  return rows.map(({ memberAccountId }) => memberAccountId);
}

/** Whether the account is a member of this reseller. Concurrent calls share one read by unique index. */
export async function isMemberOf(
  store: StoreConnection,
  resellerAccountId: AccountId,
  memberAccountId: AccountId,
): Promise<boolean> {
  return (await membersOf(store)(resellerAccountId, memberAccountId)) === true;
}

const membersOf = perStore((store: StoreConnection) =>
  batchReads<AccountId, true>(async (resellerAccountId, memberAccountIds) => {
    const rows = await connections(store)
      .collection.find<Pick<MemberConnectionRow, 'memberAccountId'>>(
        { memberAccountId: { $in: memberAccountIds }, resellerAccountId },
        { projection: { _id: 0, memberAccountId: 1 } },
      )
      .toArray();
    return new Map(rows.map(({ memberAccountId }) => [memberAccountId, true]));
  }),
);

/** The connection of an account to its reseller, or null when it has none. */
export function findConnectionOfMember(
  store: StoreConnection,
  memberAccountId: AccountId,
  session?: ClientSession,
): Promise<MemberConnectionRow | null> {
  return connections(store)
    .findOne({ memberAccountId })
    .session(session ?? null)
    .lean<MemberConnectionRow>()
    .exec();
}

/** The connections of several accounts to their resellers, by account. */
export async function findConnectionsOfMembers(
  store: StoreConnection,
  members: readonly AccountId[],
): Promise<ReadonlyMap<AccountId, MemberConnectionRow>> {
  if (members.length === 0) return new Map();
  const rows = await rowsOf(connections(store))
    .find({ memberAccountId: { $in: [...members] } })
    .toArray();
  return new Map(rows.map((row) => [row.memberAccountId, row]));
}

/** All of them, oldest first: a list that left some out would hide them from their reseller. */
export function listConnections(
  store: StoreConnection,
  resellerAccountId: AccountId,
  session?: ClientSession,
): Promise<MemberConnectionRow[]> {
  return connections(store)
    .find({ resellerAccountId })
    .sort({ createdAt: 1, _id: 1 })
    .session(session ?? null)
    .lean<MemberConnectionRow[]>()
    .exec();
}

/** Returns the stored row, with the time of the database. */
export async function insertConnection(
  store: StoreConnection,
  row: MemberConnectionRow,
  session: ClientSession,
): Promise<MemberConnectionRow> {
  await connections(store).create([row], { session });
  return connections(store)
    .findOneAndUpdate({ _id: row._id }, { $currentDate: { createdAt: true } }, { session, returnDocument: 'after' })
    .orFail()
    .lean<MemberConnectionRow>()
    .exec();
}

/**
 * Changes the reseller's reference for a member, with the entries that `audit` makes for both logs. Returns the changed row,
 * `unknown` when the account is no member of this reseller, `taken` when another member has the reference.
 */
export async function renameConnection(
  store: StoreConnection,
  resellerAccountId: AccountId,
  change: {
    memberAccountId: AccountId;
    externalId: string;
    now: Date;
    audit: (before: MemberConnectionRow) => readonly AuditEntry[];
  },
): Promise<MemberConnectionRow | 'unknown' | 'taken'> {
  const { memberAccountId, externalId, now } = change;
  try {
    return await inTransaction(store, async (session) => {
      const set = { externalId, updatedAt: now };
      const before = await connections(store)
        .findOneAndUpdate({ resellerAccountId, memberAccountId }, { $set: set }, { returnDocument: 'before', session })
        .lean<MemberConnectionRow>()
        .exec();
      if (before === null) return 'unknown';
      if (before.externalId !== externalId)
        for (const entry of change.audit(before)) await recordAudit(store, entry, session);
      return { ...before, ...set };
    });
  } catch (error) {
    if (isDuplicateKey(error)) return 'taken';
    throw error;
  }
}

/**
 * Sets whether a member shares its orders with its reseller. No effect when the account has no reseller, or the sharing is set
 * so already. `require` throws when the change is not allowed, and `audit` makes the entries of both logs.
 */
export async function changeSharing(
  store: StoreConnection,
  memberAccountId: AccountId,
  change: {
    sharesOrders: boolean;
    now: Date;
    require: (link: MemberConnectionRow | null) => void;
    audit: (link: MemberConnectionRow) => readonly AuditEntry[];
  },
): Promise<void> {
  const { sharesOrders, now, require, audit } = change;
  await inTransaction(store, async (session) => {
    const link = await findConnectionOfMember(store, memberAccountId, session);
    require(link);
    if (link === null || (link.sharesOrders === true) === sharesOrders) return;
    await connections(store).updateOne({ _id: link._id }, { $set: { sharesOrders, updatedAt: now } }, { session });
    for (const entry of audit({ ...link, sharesOrders })) await recordAudit(store, entry, session);
  });
}

/** Removes the membership of an account, in a transaction. */
export async function removeConnectionOfMember(
  store: StoreConnection,
  memberAccountId: AccountId,
  session: ClientSession,
): Promise<void> {
  await connections(store).deleteOne({ memberAccountId }, { session });
}

/** Removes all memberships of a reseller, in a transaction. */
export async function removeConnections(
  store: StoreConnection,
  resellerAccountId: AccountId,
  session: ClientSession,
): Promise<void> {
  await connections(store).deleteMany({ resellerAccountId }, { session });
}
