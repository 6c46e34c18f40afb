import { Schema, type ClientSession } from 'mongoose';
import type { AuditEntry } from '../../accounts/rules/audit-entry.ts';
import type { AccountId } from '../../rules/ids.ts';
import { runExclusive } from '../../accounts/store/accounts.ts';
import { recordAudit } from '../../accounts/store/audit.ts';
import { defineCollection, isDuplicateKey, type StoreConnection } from '../../../platform/database/connection.ts';
import { hasHadAgreement } from './deals.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';

/** The public side of an account: its page under `/p/{slug}`. */
export interface ProfileRow {
  readonly _id: AccountId;
  readonly slug: string;
  readonly displayName: string;
  readonly description: string;
  /** Whether who wants to join waits for the account's approval; absent is no. */
  readonly needsApproval?: boolean;
  readonly updatedAt: Date;
  /** Which picture the page shows; its bytes are read apart ({@link findLogo}). */
  readonly logoTag?: string;
  /** Earlier slugs of a reseller's page. They stay reserved, so that old links do not lead to another account. */
  readonly formerSlugs?: readonly FormerSlug[];
}

export interface Logo {
  /** Changes with the picture. */
  readonly tag: string;
  readonly base64: string;
}

/** `logo`: null removes it, undefined keeps it; so with `needsApproval`. */
export type ProfileChange = Omit<ProfileRow, 'logoTag' | 'formerSlugs' | 'needsApproval'> & {
  readonly logo: Logo | null | undefined;
  readonly needsApproval: boolean | undefined;
};

interface FormerSlug {
  readonly slug: string;
  readonly keptUntil: Date;
}

const keptMs = 90 * 86_400_000;
const formerSlugsMax = 20;

const schema = new Schema(
  {
    _id: { type: String, required: true },
    slug: { type: String, required: true },
    displayName: { type: String, required: true },
    description: { type: String, default: '' },
    needsApproval: Boolean,
    updatedAt: { type: Date, required: true },
    logoTag: String,
    logoBase64: String,
    formerSlugs: { type: [{ _id: false, slug: String, keptUntil: Date }], default: undefined },
  },
  { versionKey: false, strict: 'throw' },
);
schema.index({ slug: 1 }, { unique: true });
schema.index({ 'formerSlugs.slug': 1 }, { sparse: true });

const profiles = defineCollection<ProfileRow>('profiles', schema);

/** Pages are public, so there is no scope parameter. */
export function findProfileBySlug(store: StoreConnection, slug: string): Promise<ProfileRow | null> {
  return profiles(store).findOne({ slug }, withoutLogo).lean<ProfileRow>().exec();
}

const withoutLogo = { logoBase64: 0 };

/** The picture on the page; null without one. */
export async function findLogo(store: StoreConnection, slug: string): Promise<Logo | null> {
  const found = await profiles(store)
    .findOne({ slug }, { logoTag: 1, logoBase64: 1 })
    .lean<{ logoTag?: string; logoBase64?: string }>()
    .exec();
  const { logoTag: tag, logoBase64: base64 } = found ?? {};
  return tag === undefined || base64 === undefined ? null : { tag, base64 };
}

/** The account's profile, or null. */
export function findProfile(
  store: StoreConnection,
  accountId: AccountId,
  session?: ClientSession,
): Promise<ProfileRow | null> {
  return profiles(store)
    .findOne({ _id: accountId }, withoutLogo)
    .session(session ?? null)
    .lean<ProfileRow>()
    .exec();
}

/**
 * Stores the profile. Returns the stored one, unchanged when it was equal before. Returns `slug_taken` when another account has
 * the slug or has it reserved. `audit` makes the log entry of a change.
 */
export async function saveProfile(
  store: StoreConnection,
  { logo, needsApproval: wanted, ...change }: ProfileChange,
  audit: (before: ProfileRow | null) => AuditEntry,
): Promise<ProfileRow | 'slug_taken'> {
  try {
    return await inTransaction(store, async (session) => {
      // Takes a turn, because a concurrent grant of an agreement changes the slug too.
      await runExclusive(store, change._id, session);
      const before = await findProfile(store, change._id, session);
      const row = { ...change, needsApproval: wanted ?? before?.needsApproval ?? false };
      const logoTag = logo === undefined ? before?.logoTag : logo?.tag;
      if (before !== null && saysTheSame(before, row) && before.logoTag === logoTag) return before;
      const { _id, ...fields } = row;
      const set = { ...fields, ...(await formerSlugsAfter(store, row, { before, session })) };
      const update = logo ? { $set: { ...set, logoTag: logo.tag, logoBase64: logo.base64 } } : { $set: set };
      const removal = logo === null && { $unset: { logoTag: 1, logoBase64: 1 } };
      await profiles(store).updateOne({ _id }, { ...update, ...removal }, { upsert: true, session });
      await recordAudit(store, audit(before), session);
      return { ...row, ...(logoTag !== undefined && { logoTag }) };
    });
  } catch (error) {
    if (isSlugTaken(error)) return 'slug_taken';
    throw error;
  }
}

const saysTheSame = (one: ProfileRow, other: Omit<ProfileRow, 'logoTag'>): boolean =>
  one.slug === other.slug &&
  one.displayName === other.displayName &&
  one.description === other.description &&
  (one.needsApproval ?? false) === other.needsApproval;

/** Whether the account has exactly this slug now. */
export async function hasProfileSlug(
  store: StoreConnection,
  accountId: AccountId,
  { slug, session }: { slug: string; session: ClientSession },
): Promise<boolean> {
  return (await profiles(store).exists({ _id: accountId, slug }).session(session)) !== null;
}

/**
 * Gives the account this slug, and a page with `displayName` if it has none yet.
 * Throws an error (`isSlugTaken`) when another account has the slug, or has it reserved.
 */
export async function setProfileSlug(
  store: StoreConnection,
  accountId: AccountId,
  page: { slug: string; displayName: string; now: Date; session: ClientSession },
): Promise<void> {
  const { slug, displayName, now, session } = page;
  const before = await findProfile(store, accountId, session);
  const formerSlugs = await formerSlugsAfter(store, { _id: accountId, slug, updatedAt: now }, { before, session });
  await profiles(store).updateOne(
    { _id: accountId },
    { $set: { slug, updatedAt: now, ...formerSlugs }, $setOnInsert: { displayName, description: '' } },
    { upsert: true, session },
  );
}

class SlugKept extends Error {
  override readonly name = 'SlugKept';
}

/** Whether the error means that another account has the slug, or has it reserved. */
export const isSlugTaken = (error: unknown): boolean => isDuplicateKey(error) || error instanceof SlugKept;

/**
 * The account's reserved slugs once it has the slug of `row`. Only a reseller's old slugs are reserved, or any account could
 * hoard slugs by changing its own. Throws {@link SlugKept} when another account has this slug reserved. A concurrent change that
 * frees the slug is caught by the unique index.
 */
async function formerSlugsAfter(
  store: StoreConnection,
  { _id, slug, updatedAt: at }: Pick<ProfileRow, '_id' | 'slug' | 'updatedAt'>,
  { before, session }: { before: ProfileRow | null; session: ClientSession },
): Promise<Pick<ProfileRow, 'formerSlugs'>> {
  if (before?.slug === slug) return {};
  const keptByAnother = { _id: { $ne: _id }, formerSlugs: { $elemMatch: { slug, keptUntil: { $gt: at } } } };
  if ((await profiles(store).exists(keptByAnother).session(session)) !== null) throw new SlugKept();
  const given = before !== null && (await hasHadAgreement(store, _id, session)) ? [before.slug] : [];
  const kept = (before?.formerSlugs ?? []).filter((former) => former.keptUntil > at && former.slug !== slug);
  const added = given.map((former) => ({ slug: former, keptUntil: new Date(at.getTime() + keptMs) }));
  return kept.length + added.length === 0 ? {} : { formerSlugs: [...kept, ...added].slice(-formerSlugsMax) };
}
