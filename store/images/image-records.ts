import { randomUUID } from 'node:crypto';
import { Schema } from 'mongoose';
import type { AccountId } from '../../core/ids.ts';
import { defineCollection, isDuplicateKey, type StoreConnection } from '../database/connection.ts';
import type { ImageUse } from '../../core/quota/storage-quota.ts';
import { changeImageUse } from './image-usage.ts';

/** Record of one account's blob. Every write raises `version` and is a compare-and-set on it, or a claim. */
export interface ImageRecord {
  readonly _id: string;
  readonly accountId: AccountId;
  readonly contentHash: string;
  /** `deleting`: its files may be deleted at any moment. */
  readonly state: 'stored' | 'deleting';
  readonly lastClaimedAt: Date;
  /** When it became `deleting`, or a later collector took the deletion over. */
  readonly markedAt: Date | null;
  readonly version: number;
  /** New each time the record is created or leaves `deleting`: files of an earlier generation may be gone. */
  readonly generation: string;
  /** Bytes of its files; absent until they are stored, and for images stored before there was a quota. */
  readonly bytes?: number;
  /** The call that counted the bytes. */
  readonly countedBy?: string;
}

const schema = new Schema(
  {
    _id: String,
    accountId: String,
    contentHash: String,
    state: String,
    lastClaimedAt: Date,
    markedAt: Date,
    version: Number,
    generation: String,
    bytes: Number,
    countedBy: String,
  },
  { versionKey: false },
);
schema.index({ state: 1, lastClaimedAt: 1 });
const model = defineCollection<ImageRecord>('image_records', schema);

export interface ImageId {
  readonly accountId: AccountId;
  readonly contentHash: string;
}

export interface ImageClaim extends ImageId {
  readonly kind: 'claimed';
  readonly generation: string;
  /** The image was claimed before: its files exist, are being uploaded, or an upload broke off. */
  readonly mayBeStored: boolean;
}

export interface StoredImage {
  readonly contentHash: string;
  /** The size of all its files together. */
  readonly bytes: number;
}

/** A collector is about to delete the files. `version` distinguishes one deletion from the next. */
export interface BeingDeleted extends ImageId {
  readonly kind: 'deleting';
  readonly version: number;
}

/** Coordinates uploaders and the collector, so that no file in use is deleted (protocol 9, decision 37). */
export interface ImageRecordStore {
  /** Makes the records or raises `lastClaimedAt`, before uploads are made or skipped. Answers in the order of `images`. */
  claim(images: readonly ImageId[], now: Date): Promise<(ImageClaim | BeingDeleted)[]>;
  /** Takes an image over from a collector that died; null when the collector or another process was faster. */
  takeOver(image: BeingDeleted, now: Date): Promise<ImageClaim | null>;
  /** Returns the claims whose files may have been deleted since. Raises `lastClaimedAt` of the others. */
  confirm(claims: readonly ImageClaim[], now: Date): Promise<ImageClaim[]>;
  /** Records that the files of one account's images are stored, with their size. Repeated calls count a size once. */
  noteStored(account: AccountId, stored: readonly StoredImage[]): Promise<void>;
  /**
   * Candidates for deletion: records unclaimed since `unclaimedSince`, and deletions that began before `markedBefore`.
   */
  listCollectable(options: { unclaimedSince: Date; markedBefore: Date; limit: number }): Promise<ImageRecord[]>;
  /** An item refers to the image, which counts as a claim. For a marked record, earlier claims are void: files may be gone. */
  keep(record: ImageRecord, now: Date): Promise<void>;
  /** Makes the record `deleting`; null when it was claimed, marked or kept since it was read. */
  mark(record: ImageRecord, now: Date): Promise<ImageRecord | null>;
  /** Removes the record. Returns false when another process took the image over: its files must then exist. */
  remove(marked: ImageRecord): Promise<boolean>;
  isStored(image: ImageId): Promise<boolean>;
}

type Records = ReturnType<typeof model>;

const recordId = ({ accountId, contentHash }: ImageId): string => `${accountId}/${contentHash}`;

/** The records of hosted images. */
export function createImageRecordStore(store: StoreConnection): ImageRecordStore {
  const records = model(store);
  return {
    claim: async (images, now) => {
      const claims = await claim(records, images, now);
      return images.flatMap((image) => claims.get(recordId(image)) ?? []);
    },
    takeOver: async (image, now) => {
      const same = { _id: recordId(image), state: image.kind, version: image.version };
      const taken = await change(records, same, { set: newLife(image), now });
      return taken === null ? null : claimOf(taken, { mayBeStored: false });
    },
    confirm: (claims, now) => confirm(records, claims, now),
    noteStored: async (account, stored) => {
      const use = await countStored(records, account, stored);
      if (use.images > 0) await changeImageUse(store, account, use);
    },
    listCollectable: (options) => listCollectable(records, options),
    keep: async (record, now) => {
      const { _id, version, state } = record;
      await change(records, { _id, version }, { set: state === 'deleting' ? newLife(record) : {}, now });
    },
    mark: ({ _id, version }, now) =>
      records
        .findOneAndUpdate(
          { _id, version },
          { $set: { state: 'deleting', markedAt: now }, $inc: { version: 1 } },
          { returnDocument: 'after' },
        )
        .lean<ImageRecord | null>(),
    remove: async ({ _id, version }) => {
      const removed = await records.findOneAndDelete({ _id, version, state: 'deleting' }).lean<ImageRecord | null>();
      if (removed?.bytes !== undefined)
        await changeImageUse(store, removed.accountId, { images: -1, bytes: -removed.bytes });
      return removed !== null;
    },
    isStored: async (image) => (await records.exists({ _id: recordId(image), state: 'stored' })) !== null,
  };
}

const claimTriesMax = 10;

type Claims = Map<string, ImageClaim | BeingDeleted>;

async function claim(records: Records, images: readonly ImageId[], now: Date): Promise<Claims> {
  const claims: Claims = new Map();
  // A further round is needed only when a record appeared or vanished between two of the steps.
  for (let round = 0; round < claimTriesMax; round += 1) {
    const open = images.filter((image) => !claims.has(recordId(image)));
    for (const made of await makeOrTouch(records, open, now))
      claims.set(made._id, claimOf(made, { mayBeStored: false }));
    const others = open.map(recordId).filter((id) => !claims.has(id));
    if (others.length === 0) return claims;
    for (const found of await records.find({ _id: { $in: others } }).lean<ImageRecord[]>())
      claims.set(
        found._id,
        found.state === 'stored'
          ? claimOf(found, { mayBeStored: true })
          : { kind: 'deleting', ...idOf(found), version: found.version },
      );
  }
  throw new Error(`${images.length} images could not be claimed in ${claimTriesMax} rounds`);
}

/**
 * Raises `lastClaimedAt` of stored records, skips those that are being deleted, and returns the records that it
 * created.
 */
async function makeOrTouch(records: Records, images: readonly ImageId[], now: Date): Promise<ImageRecord[]> {
  const rows = images.map((image) => ({ _id: recordId(image), ...newLife(image), lastClaimedAt: now, version: 1 }));
  const writes = rows.map(({ _id, state, lastClaimedAt, version, ...rest }) => ({
    updateOne: {
      filter: { _id, state },
      update: { $setOnInsert: rest, $max: { lastClaimedAt }, $inc: { version } },
      upsert: true,
    },
  }));
  try {
    const { upsertedIds } = await records.bulkWrite(writes, { ordered: false });
    return rows.filter((_row, n) => n in upsertedIds);
  } catch (error) {
    // The record is being deleted, or another process has just created it.
    if (!isDuplicateKey(error)) throw error;
    const own = { _id: { $in: rows.map(({ _id }) => _id) }, generation: { $in: rows.map((row) => row.generation) } };
    return records.find(own).lean<ImageRecord[]>();
  }
}

async function confirm(records: Records, claims: readonly ImageClaim[], now: Date): Promise<ImageClaim[]> {
  const same = claims.map(({ generation, ...image }) => ({
    _id: recordId(image),
    state: 'stored' as const,
    generation,
  }));
  const { matchedCount } = await records.updateMany(
    { $or: same },
    { $max: { lastClaimedAt: now }, $inc: { version: 1 } },
  );
  if (matchedCount === claims.length) return [];
  const kept = await records.find({ $or: same }, { _id: 1 }).lean<{ _id: string }[]>();
  const ids = new Set(kept.map(({ _id }) => _id));
  return claims.filter((claim) => !ids.has(recordId(claim)));
}

/** Counts each image that was not counted yet. Other processes may store the same images at the same time. */
async function countStored(records: Records, accountId: AccountId, stored: readonly StoredImage[]): Promise<ImageUse> {
  const countedBy = randomUUID();
  const writes = stored.map(({ contentHash, bytes }) => ({
    updateOne: {
      filter: { _id: recordId({ accountId, contentHash }), bytes: { $exists: false } },
      update: { $set: { bytes, countedBy } },
    },
  }));
  const { modifiedCount } = await records.bulkWrite(writes, { ordered: false });
  const all = { images: stored.length, bytes: sumOf(stored) };
  if (modifiedCount === stored.length) return all;
  const ids = writes.map(({ updateOne }) => updateOne.filter._id);
  const counted = await records.find({ _id: { $in: ids }, countedBy }).lean<{ bytes: number }[]>();
  return { images: counted.length, bytes: sumOf(counted) };
}

const sumOf = (images: readonly { readonly bytes: number }[]): number =>
  images.reduce((sum, { bytes }) => sum + bytes, 0);

async function listCollectable(
  records: Records,
  { unclaimedSince, markedBefore, limit }: Parameters<ImageRecordStore['listCollectable']>[0],
): Promise<ImageRecord[]> {
  const list = (filter: object, size: number): Promise<ImageRecord[]> =>
    records.find(filter).sort({ lastClaimedAt: 1 }).limit(size).lean<ImageRecord[]>();
  const brokenOff = await list({ state: 'deleting', markedAt: { $lte: markedBefore } }, limit);
  if (brokenOff.length === limit) return brokenOff;
  const unclaimed = { state: 'stored', lastClaimedAt: { $lte: unclaimedSince } };
  return [...brokenOff, ...(await list(unclaimed, limit - brokenOff.length))];
}

interface Filter {
  readonly _id: string;
  readonly state?: ImageRecord['state'];
  readonly version?: number;
  readonly generation?: string;
}

/** The changed and claimed record; null when none matches `filter`. */
const change = (
  records: Records,
  filter: Filter,
  { set = {}, now }: { set?: Partial<ImageRecord>; now: Date },
): Promise<ImageRecord | null> =>
  records
    .findOneAndUpdate(
      filter,
      { $set: set, $max: { lastClaimedAt: now }, $inc: { version: 1 } },
      { returnDocument: 'after' },
    )
    .lean<ImageRecord | null>();

const newLife = (image: ImageId) => ({
  ...idOf(image),
  state: 'stored' as const,
  generation: randomUUID(),
  markedAt: null,
});

const idOf = ({ accountId, contentHash }: ImageId): ImageId => ({ accountId, contentHash });

const claimOf = (record: ImageRecord, { mayBeStored }: { mayBeStored: boolean }): ImageClaim => ({
  kind: 'claimed',
  ...idOf(record),
  generation: record.generation,
  mayBeStored,
});
