import { Schema } from 'mongoose';
import type { AccountId } from '../../rules/ids.ts';
import type { ImageUse } from '../../accounts/rules/storage-quota.ts';
import { defineCollection, type StoreConnection } from '../../../platform/database/connection.ts';

/**
 * Sums of an account's hosted images. Raised after a record got its size, and lowered after the record is removed: a process that
 * dies in between leaves the sum wrong by that one image.
 */
interface ImageUsageRow extends ImageUse {
  readonly _id: AccountId;
}

const schema = new Schema({ _id: String, images: Number, bytes: Number }, { versionKey: false, strict: 'throw' });
schema.set('shardKey', { _id: 1 });
const model = defineCollection<ImageUsageRow>('image_usage', schema);

/** The use of one account; zeros without a row. */
export async function readImageUse(store: StoreConnection, account: AccountId): Promise<ImageUse> {
  const row = await model(store).findById(account).lean<ImageUsageRow | null>();
  return { images: Math.max(0, row?.images ?? 0), bytes: Math.max(0, row?.bytes ?? 0) };
}

/** Adds to the sums; negative numbers subtract. */
export async function changeImageUse(store: StoreConnection, account: AccountId, by: ImageUse): Promise<void> {
  await model(store).updateOne({ _id: account }, { $inc: by }, { upsert: true });
}
