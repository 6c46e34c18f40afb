import { Schema, type ClientSession } from 'mongoose';
import type { AuditEntry } from '../core/audit/audit-entry.ts';
import type { AccountId } from '../core/ids.ts';
import { takeTurn } from './accounts.ts';
import { recordAudit } from './audit.ts';
import { defineCollection, isDuplicateKey, type StoreConnection } from './connection.ts';
import { inTransaction } from './transaction.ts';

/** The public side of an account: its page under `/p/{slug}`. */
export interface ProfileRow {
  readonly _id: AccountId;
  readonly slug: string;
  readonly displayName: string;
  readonly description: string;
  readonly updatedAt: Date;
}

const schema = new Schema(
  {
    _id: { type: String, required: true },
    slug: { type: String, required: true },
    displayName: { type: String, required: true },
    description: { type: String, default: '' },
    updatedAt: { type: Date, required: true },
  },
  { versionKey: false, strict: 'throw' },
);
schema.index({ slug: 1 }, { unique: true });

const profiles = defineCollection<ProfileRow>('profiles', schema);

/** Public pages are read by everybody, so no scope comes first. */
export function findProfileBySlug(store: StoreConnection, slug: string): Promise<ProfileRow | null> {
  return profiles(store).findOne({ slug }).lean<ProfileRow>().exec();
}

export function findProfile(
  store: StoreConnection,
  accountId: AccountId,
  session?: ClientSession,
): Promise<ProfileRow | null> {
  return profiles(store)
    .findOne({ _id: accountId })
    .session(session ?? null)
    .lean<ProfileRow>()
    .exec();
}

/**
 * Makes a profile what `row` says. Gives it as it is now, unchanged when it said so before, or `slug_taken` when another account
 * has the slug. `audit` is what the log says of a change.
 */
export async function saveProfile(
  store: StoreConnection,
  row: ProfileRow,
  audit: (before: ProfileRow | null) => AuditEntry,
): Promise<ProfileRow | 'slug_taken'> {
  try {
    return await inTransaction(store, async (session) => {
      // An agreement that is granted meanwhile changes the slug too.
      await takeTurn(store, row._id, session);
      const before = await findProfile(store, row._id, session);
      if (before !== null && saysTheSame(before, row)) return before;
      const { slug, displayName, description, updatedAt } = row;
      const set = { slug, displayName, description, updatedAt };
      await profiles(store).updateOne({ _id: row._id }, { $set: set }, { upsert: true, session });
      await recordAudit(store, audit(before), session);
      return row;
    });
  } catch (error) {
    if (isDuplicateKey(error)) return 'slug_taken';
    throw error;
  }
}

const saysTheSame = (one: ProfileRow, other: ProfileRow): boolean =>
  one.slug === other.slug && one.displayName === other.displayName && one.description === other.description;

export async function hasProfileSlug(
  store: StoreConnection,
  accountId: AccountId,
  { slug, session }: { slug: string; session: ClientSession },
): Promise<boolean> {
  return (await profiles(store).exists({ _id: accountId, slug }).session(session)) !== null;
}

/**
 * Gives the account this slug, and a page with `displayName` if it has none yet.
 * Throws a duplicate key error (`isDuplicateKey`) when another account holds the slug.
 */
export async function setProfileSlug(
  store: StoreConnection,
  accountId: AccountId,
  page: { slug: string; displayName: string; now: Date; session: ClientSession },
): Promise<void> {
  await profiles(store).updateOne(
    { _id: accountId },
    {
      $set: { slug: page.slug, updatedAt: page.now },
      $setOnInsert: { displayName: page.displayName, description: '' },
    },
    { upsert: true, session: page.session },
  );
}
