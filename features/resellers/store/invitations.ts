import { Schema, type ClientSession } from 'mongoose';
import type { AccountId } from '../../rules/ids.ts';
import { defineRows, type StoreConnection } from '../../../platform/database/connection.ts';

/** A reseller's invitation to become its member, sent by mail. One for each address. */
export interface InvitationRow {
  readonly _id: string;
  readonly resellerAccountId: AccountId;
  readonly email: string;
  /** The reference that the member gets when it joins by the link; null: its user id, as without an invitation. */
  readonly externalId: string | null;
  /** Hashes of the tokens in the last five mails, the newest last. Links in older mails no longer work. */
  readonly tokenHashes: readonly string[];
  /** When it was last requested. */
  readonly invitedAt: Date;
  readonly joinedAccountId: AccountId | null;
  /** The address of that account when it joined, which need not be the invited one; absent on rows of before. */
  readonly joinedEmail?: string | null;
  readonly joinedAt: Date | null;
  /** The link works until then; then the row is deleted. */
  readonly expiresAt: Date;
}

const schema = new Schema();
schema.index({ resellerAccountId: 1, email: 1 }, { unique: true });
schema.index({ resellerAccountId: 1, invitedAt: -1, _id: -1 });
schema.index({ tokenHashes: 1 });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

const invitations = defineRows<InvitationRow>('member_invitations', schema);

/** Newest first. */
export const listInvitations = (
  store: StoreConnection,
  resellerAccountId: AccountId,
  rowsMax: number,
): Promise<InvitationRow[]> =>
  invitations(store).find({ resellerAccountId }).sort({ invitedAt: -1, _id: -1 }).limit(rowsMax).toArray();

/** The invitations of a reseller to these addresses. */
export const findInvitationsTo = (
  store: StoreConnection,
  { resellerAccountId, emails }: { readonly resellerAccountId: AccountId; readonly emails: readonly string[] },
  session: ClientSession,
): Promise<InvitationRow[]> =>
  invitations(store)
    .find({ resellerAccountId, email: { $in: [...emails] } }, { session })
    .toArray();

export const countInvitedSince = (
  store: StoreConnection,
  { resellerAccountId, since }: { readonly resellerAccountId: AccountId; readonly since: Date },
  session: ClientSession,
): Promise<number> => invitations(store).countDocuments({ resellerAccountId, invitedAt: { $gte: since } }, { session });

/** Stores new invitations and repeated ones. A repeated one keeps its tokens, so links in its earlier mails still work. */
export async function storeInvitations(
  store: StoreConnection,
  rows: readonly Omit<InvitationRow, 'tokenHashes' | 'joinedAccountId' | 'joinedAt'>[],
  session: ClientSession,
): Promise<void> {
  const unused = { tokenHashes: [], joinedAccountId: null, joinedAt: null };
  await invitations(store).bulkWrite(
    rows.map(({ _id, ...row }) => ({
      updateOne: { filter: { _id }, update: { $set: row, $setOnInsert: unused }, upsert: true },
    })),
    { session },
  );
}

/** Returns false when there is no such invitation. */
export const deleteInvitation = async (
  store: StoreConnection,
  { resellerAccountId, id }: { readonly resellerAccountId: AccountId; readonly id: string },
  session: ClientSession,
): Promise<boolean> =>
  (await invitations(store).deleteOne({ _id: id, resellerAccountId }, { session })).deletedCount === 1;

const open = (now: Date) => ({ joinedAccountId: null, expiresAt: { $gt: now } });
const tokensKept = 5;

/**
 * Adds the token of a mail that is about to be sent. Returns the invitation; null when it was withdrawn, used or has
 * expired.
 */
export const addInvitationToken = (
  store: StoreConnection,
  { id, hash, now }: { readonly id: string; readonly hash: string; readonly now: Date },
): Promise<InvitationRow | null> =>
  invitations(store).findOneAndUpdate(
    { _id: id, ...open(now) },
    { $push: { tokenHashes: { $each: [hash], $slice: -tokensKept } } },
    { returnDocument: 'after' },
  );

/**
 * The caller of a link has only its token, so the reseller is compared afterwards. null when it is unknown, used or
 * expired.
 */
export const findInvitationByToken = (
  store: StoreConnection,
  { hash, now }: { readonly hash: string; readonly now: Date },
): Promise<InvitationRow | null> => invitations(store).findOne({ tokenHashes: hash, ...open(now) });

/** The invitation by which a member joins, and the address of its account. */
export interface UsedInvitation {
  readonly id: string;
  readonly email: string;
}

/** Part of the transaction in which a member joins. The first member to join uses it up. */
export async function markInvitationUsed(
  store: StoreConnection,
  { id, email, memberAccountId, at }: UsedInvitation & { readonly memberAccountId: AccountId; readonly at: Date },
  session: ClientSession,
): Promise<void> {
  const used = { joinedAccountId: memberAccountId, joinedEmail: email, joinedAt: at };
  await invitations(store).updateOne({ _id: id, joinedAccountId: null }, { $set: used }, { session });
}
