import { randomUUID } from 'node:crypto';
import { Schema, type mongo } from 'mongoose';
import type { AccountId } from '../../rules/ids.ts';
import type { ImageUse } from '../../accounts/rules/storage-quota.ts';
import { batchReads } from '../../../platform/database/batch.ts';
import { defineRows, isDuplicateKey, type StoreConnection } from '../../../platform/database/connection.ts';
import { changeImageUse } from './image-usage.ts';

/** Record of one account's blob. Every write raises `version` and is a compare-and-set on it, or names the image. */
export interface ImageRecord {
  readonly _id: string;
  readonly accountId: AccountId;
  readonly contentHash: string;
  /** `deleting`: its files may be deleted at any moment. */
  readonly state: 'stored' | 'deleting';
  /** When it was last named. */
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
  /** The call that named the image last. */
  readonly namedBy?: string;
}

const schema = new Schema();
schema.set('shardKey', { _id: 1 });
schema.index({ state: 1, lastClaimedAt: 1 });
const imageRecords = defineRows<ImageRecord>('image_records', schema);

export interface ImageId {
  readonly accountId: AccountId;
  readonly contentHash: string;
}

/** An image that is hosted, so that its files stay. */
export interface NamedImage {
  readonly contentHash: string;
  /** Bytes of all its files, which were just uploaded; absent: they were there already. */
  readonly bytes?: number;
  /** Its files were found in this life of the record, and are there only if it lasts; absent: it may have no record yet. */
  readonly generation?: string;
}

/** What an uploader must know of a record. `version` distinguishes one deletion from the next. */
export type FoundImage = Pick<ImageRecord, 'accountId' | 'contentHash' | 'state' | 'version' | 'generation'>;

/** Coordinates uploaders and the collector, so that no file in use is deleted (protocol 9; decisions "Images"). */
export interface ImageRecordStore {
  /** The record of an image; null: no file of it is known. Concurrent calls are one query. */
  find(account: AccountId, contentHash: string): Promise<FoundImage | null>;
  /** Which of an account's images have no record. */
  findUnknown(account: AccountId, contentHashes: readonly string[]): Promise<string[]>;
  /** Takes an image over from a collector that died; false when the collector or another process was faster. */
  takeOver(image: FoundImage, now: Date): Promise<boolean>;
  /**
   * Names images of an account: makes their records or raises `lastClaimedAt`, and counts new bytes once. Returns the hashes of those
   * that were not named, because a collector deletes them or has done so: their files may be gone.
   */
  name(account: AccountId, images: readonly NamedImage[], now: Date): Promise<ReadonlySet<string>>;
  /**
   * Candidates for deletion: records not named since `unclaimedSince`, and deletions that began before `markedBefore`.
   */
  listCollectable(options: { unclaimedSince: Date; markedBefore: Date; limit: number }): Promise<ImageRecord[]>;
  /** An item refers to the image. A marked record gets a new life, because its files may be gone. */
  keep(record: ImageRecord, now: Date): Promise<void>;
  /** Makes the record `deleting`; null when it was named, marked or kept since it was read. */
  mark(record: ImageRecord, now: Date): Promise<ImageRecord | null>;
  /** Removes the record. Returns false when another process has changed it. */
  remove(marked: ImageRecord): Promise<boolean>;
}

type Rows = mongo.Collection<ImageRecord>;

const recordId = ({ accountId, contentHash }: ImageId): string => `${accountId}/${contentHash}`;

export function createImageRecordStore(store: StoreConnection): ImageRecordStore {
  const rows = imageRecords(store);
  const recordOf = batchReads<AccountId, FoundImage>(async (accountId, hashes) => {
    const ids = hashes.map((contentHash) => recordId({ accountId, contentHash }));
    const found = await rows.find({ _id: { $in: ids } }).toArray();
    return new Map(found.map((record) => [record.contentHash, record]));
  });
  return {
    find: async (account, contentHash) => (await recordOf(account, contentHash)) ?? null,
    findUnknown: async (accountId, hashes) => {
      const ids = hashes.map((contentHash) => recordId({ accountId, contentHash }));
      const found = await rows.find({ _id: { $in: ids } }, { projection: { contentHash: 1 } }).toArray();
      const known = new Set(found.map(({ contentHash }) => contentHash));
      return hashes.filter((hash) => !known.has(hash));
    },
    takeOver: async (image, now) => {
      const same = { _id: recordId(image), state: 'deleting' as const, version: image.version };
      return change(rows, same, { set: newLife(image), now });
    },
    name: async (account, images, now) => {
      const { lost, use } = await nameAll(rows, account, { images, now });
      if (use.images > 0) await changeImageUse(store, account, use);
      return lost;
    },
    listCollectable: (options) => listCollectable(rows, options),
    keep: async (record, now) => {
      const { _id, version, state } = record;
      await change(rows, { _id, version }, { set: state === 'deleting' ? newLife(record) : {}, now });
    },
    mark: ({ _id, version }, now) =>
      rows.findOneAndUpdate(
        { _id, version },
        { $set: { state: 'deleting', markedAt: now }, $inc: { version: 1 } },
        { returnDocument: 'after' },
      ),
    remove: async ({ _id, version }) => {
      const removed = await rows.findOneAndDelete({ _id, version, state: 'deleting' });
      if (removed?.bytes !== undefined)
        await changeImageUse(store, removed.accountId, { images: -1, bytes: -removed.bytes });
      return removed !== null;
    },
  };
}

/** A record that another process makes at the same moment costs one round. */
const roundsMax = 3;

interface Naming {
  readonly images: readonly NamedImage[];
  readonly now: Date;
}

/** One write where no other process is at the same images; then what was named and counted is known without a look. */
async function nameAll(
  rows: Rows,
  account: AccountId,
  { images, now }: Naming,
): Promise<{ lost: ReadonlySet<string>; use: ImageUse }> {
  const call = randomUUID();
  const uploaded = images.filter(({ bytes }) => bytes !== undefined);
  let lost = images;
  let made = 0;
  for (let round = 0; round < roundsMax && lost.length > 0; round += 1) {
    const wrote = await writeNames(rows, account, { images: lost, now, call });
    made += wrote.made;
    const named = wrote.named === lost.length ? null : await findHashes(rows, account, { namedBy: call, images });
    lost = named === null ? [] : images.filter(({ contentHash }) => !named.has(contentHash));
  }
  const counted =
    uploaded.length === 0 || made === uploaded.length
      ? null
      : await findHashes(rows, account, { countedBy: call, images: uploaded });
  const own = uploaded.filter(({ contentHash }) => counted === null || counted.has(contentHash));
  const use = { images: own.length, bytes: own.reduce((sum, { bytes = 0 }) => sum + bytes, 0) };
  return { lost: new Set(lost.map(({ contentHash }) => contentHash)), use };
}

/** How many records were named, and how many of these made. */
async function writeNames(
  rows: Rows,
  accountId: AccountId,
  { images, now, call }: Naming & { readonly call: string },
): Promise<{ named: number; made: number }> {
  const writes = images.map((image) => ({ updateOne: nameOne(accountId, image, { now, call }) }));
  try {
    const { matchedCount, upsertedCount } = await rows.bulkWrite(writes, { ordered: false });
    return { named: matchedCount + upsertedCount, made: upsertedCount };
  } catch (error) {
    // A record is being deleted, or another process has just made it.
    if (isDuplicateKey(error)) return { named: 0, made: 0 };
    throw error;
  }
}

function nameOne(
  accountId: AccountId,
  { contentHash, bytes, generation }: NamedImage,
  { now, call }: { readonly now: Date; readonly call: string },
) {
  const image = { accountId, contentHash };
  const once = (field: string, value: unknown) => ({ $ifNull: [`$${field}`, value] });
  const counting = bytes !== undefined && { bytes: once('bytes', bytes), countedBy: isAbsent('bytes', call) };
  const set = {
    ...image,
    generation: once('generation', randomUUID()),
    markedAt: once('markedAt', null),
    namedBy: call,
    lastClaimedAt: { $max: ['$lastClaimedAt', now] },
    version: { $add: [once('version', 0), 1] },
    ...counting,
  };
  const filter = { _id: recordId(image), state: 'stored' as const, ...(generation !== undefined && { generation }) };
  return { filter, update: [{ $set: set }], upsert: generation === undefined };
}

/** `value` where the field is absent; else `countedBy` stays. */
const isAbsent = (field: string, value: string) => ({
  $cond: [{ $eq: [{ $type: `$${field}` }, 'missing'] }, value, '$countedBy'],
});

/** Which of the images have a record that this call named or counted. */
async function findHashes(
  rows: Rows,
  accountId: AccountId,
  { images, ...by }: { readonly images: readonly NamedImage[]; readonly namedBy?: string; readonly countedBy?: string },
): Promise<ReadonlySet<string>> {
  const ids = images.map(({ contentHash }) => recordId({ accountId, contentHash }));
  const found = await rows
    .find({ _id: { $in: ids }, ...by })
    .project<ImageId>({ contentHash: 1 })
    .toArray();
  return new Set(found.map(({ contentHash }) => contentHash));
}

async function listCollectable(
  rows: Rows,
  { unclaimedSince, markedBefore, limit }: Parameters<ImageRecordStore['listCollectable']>[0],
): Promise<ImageRecord[]> {
  const list = (filter: mongo.Filter<ImageRecord>, size: number): Promise<ImageRecord[]> =>
    rows.find(filter, { sort: { lastClaimedAt: 1 }, limit: size }).toArray();
  const brokenOff = await list({ state: 'deleting', markedAt: { $lte: markedBefore } }, limit);
  if (brokenOff.length === limit) return brokenOff;
  const unclaimed = { state: 'stored' as const, lastClaimedAt: { $lte: unclaimedSince } };
  return [...brokenOff, ...(await list(unclaimed, limit - brokenOff.length))];
}

interface Filter {
  readonly _id: string;
  readonly state?: ImageRecord['state'];
  readonly version?: number;
}

/** Changes and names the record; false when none matches `filter`. */
async function change(
  rows: Rows,
  filter: Filter,
  { set, now }: { set: Partial<ImageRecord>; now: Date },
): Promise<boolean> {
  const changes = { $set: set, $max: { lastClaimedAt: now }, $inc: { version: 1 } };
  return (await rows.updateOne(filter, changes)).matchedCount === 1;
}

const newLife = ({ accountId, contentHash }: ImageId) => ({
  accountId,
  contentHash,
  state: 'stored' as const,
  generation: randomUUID(),
  markedAt: null,
});
