import { randomUUID } from 'node:crypto';
import { Schema } from 'mongoose';
import type { AccountId, ItemId } from '../../rules/ids.ts';
import { defineCollection, isDuplicateKey, type StoreConnection } from '../../../platform/database/connection.ts';

/** An item's set of images is being uploaded. The row goes with the outcome, or a day later with a collector (decisions "Images"). */
export interface ImageClaim {
  /** `<accountId>/<itemId>/<number of the set>`. */
  readonly _id: string;
  readonly accountId: AccountId;
  readonly openedAt: Date;
  /** Differs each time the set is claimed. */
  readonly attempt: string;
}

const schema = new Schema(
  { _id: String, accountId: String, openedAt: Date, attempt: String },
  { versionKey: false, strict: 'throw' },
);
schema.set('shardKey', { _id: 1 });
schema.index({ openedAt: 1 });
const model = defineCollection<ImageClaim>('image_claims', schema);

/** While a claim is open, a collector deletes nothing that was uploaded under it. */
export interface ImageClaimStore {
  /** Opens the claim of a set, before anything of it is stored. A claim that an earlier attempt left is void from then on. */
  open(set: { itemId: ItemId; number: number; accountId: AccountId }, now: Date): Promise<ImageClaim>;
  /** Returns false when the claim is void: files uploaded under it may be deleted. */
  close(claim: ImageClaim): Promise<boolean>;
  listOpen(options: { openedBefore: Date; limit: number }): Promise<ImageClaim[]>;
}

export function createImageClaimStore(store: StoreConnection): ImageClaimStore {
  const claims = model(store);
  return {
    open: async ({ itemId, number, accountId }, openedAt) => {
      const claim = { _id: `${accountId}/${itemId}/${number}`, accountId, openedAt, attempt: randomUUID() };
      const { _id, ...fields } = claim;
      const write = () => claims.updateOne({ _id }, { $set: fields }, { upsert: true });
      // Another attempt may claim the same set in the same moment.
      await write().catch((error: unknown) => {
        if (isDuplicateKey(error)) return write();
        throw error;
      });
      return claim;
    },
    close: async ({ _id, attempt }) => (await claims.deleteOne({ _id, attempt })).deletedCount === 1,
    listOpen: async ({ openedBefore, limit }) => {
      const old = claims.find({ openedAt: { $lte: openedBefore } }).sort({ openedAt: 1 });
      return await old.limit(limit).lean<ImageClaim[]>();
    },
  };
}
