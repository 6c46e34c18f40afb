import { Schema, type ClientSession } from 'mongoose';
import type { AccountId } from '../core/ids.ts';
import { defineCollection, type StoreConnection } from './connection.ts';

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
