import { Schema, type ClientSession } from 'mongoose';
import type { AccountId } from '../../rules/ids.ts';
import type { LinkKind } from '../rules/mail.ts';
import { defineCollection, type StoreConnection } from '../../../platform/database/connection.ts';

/** The link in a mail, or in the answer to such a link, which works once. Only the hash of its token is stored. */
export interface LinkRow {
  /** Hash of the token. */
  readonly _id: string;
  readonly kind: LinkKind;
  readonly accountId: AccountId;
  /** The address that the mail was sent to; using the link proves it. */
  readonly email: string;
  /** Number of the password when the link was made: a change of the password invalidates all earlier links. */
  readonly passwordNumber: number;
  readonly expiresAt: Date;
  /** Id of the call that used it; null until then. */
  readonly usedBy: string | null;
}

const schema = new Schema(
  {
    _id: { type: String, required: true },
    kind: { type: String, required: true },
    accountId: { type: String, required: true },
    email: { type: String, required: true },
    passwordNumber: { type: Number, required: true },
    expiresAt: { type: Date, required: true },
    usedBy: { type: String, default: null },
  },
  { versionKey: false, strict: 'throw' },
);
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

const links = defineCollection<LinkRow>('mail_links', schema);

/** Stores a link before its mail is sent, or in the transaction of the answer that shows it. */
export async function insertLink(
  store: StoreConnection,
  row: Omit<LinkRow, 'usedBy'>,
  session?: ClientSession,
): Promise<void> {
  await links(store).create([{ ...row, usedBy: null }], { session: session ?? null });
}

/**
 * The caller of a link has only its token, so there is no scope parameter. null when it is unknown, used or expired.
 */
export function findLink(
  store: StoreConnection,
  { hash, kind, now }: { readonly hash: string; readonly kind: LinkKind; readonly now: Date },
): Promise<LinkRow | null> {
  return links(store)
    .findOne({ _id: hash, kind, usedBy: null, expiresAt: { $gt: now } })
    .lean<LinkRow>()
    .exec();
}

/** No mail leads to the account any more. */
export async function deleteLinks(store: StoreConnection, accountId: AccountId): Promise<void> {
  await links(store).deleteMany({ accountId });
}

/**
 * Part of the transaction of the link's effect. Returns false when another call has used it. `usedBy` lets the driver repeat a
 * transaction that took effect when the primary failed before it could answer.
 */
export async function spendLink(
  store: StoreConnection,
  { hash, usedBy }: { readonly hash: string; readonly usedBy: string },
  session: ClientSession,
): Promise<boolean> {
  const unused = { _id: hash, $or: [{ usedBy: null }, { usedBy }] };
  return (await links(store).updateOne(unused, { $set: { usedBy } }, { session })).matchedCount === 1;
}
