import { randomUUID } from 'node:crypto';
import { Schema } from 'mongoose';
import type { AccountId } from '../../core/ids.ts';
import { defineCollection, isDuplicateKey, type StoreConnection } from '../database/connection.ts';
import { changeImageUse } from './image-usage.ts';

/** Record of one account's blob. Every write raises `version` and is a compare-and-set on it, or a claim. */
export interface ImageRecord {
  readonly _id: string;
  readonly accountId: AccountId;
  readonly contentHash: string;
  /** `deleting`: its files may vanish at any moment. */
  readonly state: 'stored' | 'deleting';
  readonly lastClaimedAt: Date;
  /** When it became `deleting`, or a later collector took the deletion over. */
  readonly markedAt: Date | null;
  readonly version: number;
  /** New each time the record is created or leaves `deleting`: files of an earlier generation may be gone. */
  readonly generation: string;
  /** Bytes of its files; absent until they are stored, and for images stored before there was a quota. */
  readonly bytes?: number;
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

/** A collector is about to delete the files. `version` distinguishes one deletion from the next. */
export interface BeingDeleted extends ImageId {
  readonly kind: 'deleting';
  readonly version: number;
}

/** Coordinates uploaders and the collector, so that no file in use is deleted (protocol 9, decision 37). */
export interface ImageRecordStore {
  /** Makes the record or raises `lastClaimedAt`, before an upload is made or skipped. */
  claim(image: ImageId, now: Date): Promise<ImageClaim | BeingDeleted>;
  /** Takes an image over from a collector that died; null when the collector or another process was faster. */
  takeOver(image: BeingDeleted, now: Date): Promise<ImageClaim | null>;
  /** Whether nothing was deleted since the claim. Raises `lastClaimedAt`. */
  confirm(claim: ImageClaim, now: Date): Promise<boolean>;
  /** Records that the files are stored, with their size. Repeated calls count the size once. */
  noteStored(image: ImageId, bytes: number): Promise<void>;
  /** Candidates for deletion: records unclaimed since `unclaimedSince`, and deletions that began before `markedBefore`. */
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

export function createImageRecordStore(store: StoreConnection): ImageRecordStore {
  const records = model(store);
  return {
    claim: (image, now) => claim(records, image, now),
    takeOver: async (image, now) => {
      const same = { _id: recordId(image), state: image.kind, version: image.version };
      const taken = await change(records, same, { set: newLife(image), now });
      return taken === null ? null : claimOf(taken, { mayBeStored: false });
    },
    confirm: async ({ generation, ...image }, now) => {
      const same = { _id: recordId(image), state: 'stored' as const, generation };
      return (await change(records, same, { now })) !== null;
    },
    noteStored: async (image, bytes) => {
      const { modifiedCount } = await records.updateOne(
        { _id: recordId(image), bytes: { $exists: false } },
        { $set: { bytes } },
      );
      if (modifiedCount === 1) await changeImageUse(store, image.accountId, { images: 1, bytes });
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

async function claim(records: Records, image: ImageId, now: Date): Promise<ImageClaim | BeingDeleted> {
  // A further round is needed only when the record appeared or vanished between two of the steps.
  for (let round = 0; round < claimTriesMax; round += 1) {
    const stored = await change(records, { _id: recordId(image), state: 'stored' }, { now });
    if (stored !== null) return claimOf(stored, { mayBeStored: true });
    const made = await make(records, image, now);
    if (made !== null) return claimOf(made, { mayBeStored: false });
    const marked = await records.findOne({ _id: recordId(image), state: 'deleting' }).lean<ImageRecord | null>();
    if (marked !== null) return { kind: 'deleting', ...idOf(marked), version: marked.version };
  }
  throw new Error(`image ${recordId(image)} could not be claimed in ${claimTriesMax} rounds`);
}

/** null when the record exists already. */
async function make(records: Records, image: ImageId, now: Date): Promise<ImageRecord | null> {
  const row: ImageRecord = { _id: recordId(image), ...newLife(image), lastClaimedAt: now, version: 1 };
  try {
    await records.create([row]);
    return row;
  } catch (error) {
    if (isDuplicateKey(error)) return null;
    throw error;
  }
}

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
