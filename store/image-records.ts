import { Schema } from 'mongoose';
import type { AccountId } from '../core/ids.ts';
import { defineCollection, type StoreConnection } from './connection.ts';

interface ImageRecord {
  readonly _id: string;
  readonly accountId: AccountId;
  readonly contentHash: string;
  readonly state: 'stored' | 'deleting';
  readonly lastClaimedAt: Date;
}

const schema = new Schema(
  { _id: String, accountId: String, contentHash: String, state: String, lastClaimedAt: Date },
  { versionKey: false },
);
schema.index({ state: 1, lastClaimedAt: 1 });
const model = defineCollection<ImageRecord>('image_records', schema);

export interface ImageRecordStore {
  /** Raises `lastClaimedAt`, before an upload is skipped: false when the image has to be uploaded (protocol 9). */
  claim(account: AccountId, contentHash: string, now: Date): Promise<boolean>;
  recordStored(account: AccountId, contentHash: string, now: Date): Promise<void>;
}

const recordId = (account: AccountId, contentHash: string): string => `${account}/${contentHash}`;

export function createImageRecordStore(store: StoreConnection): ImageRecordStore {
  const records = model(store);
  return {
    claim: async (account, contentHash, now) => {
      const stored = { _id: recordId(account, contentHash), state: 'stored' as const };
      return (await records.updateOne(stored, { $set: { lastClaimedAt: now } })).matchedCount === 1;
    },
    recordStored: async (account, contentHash, now) => {
      await records.updateOne(
        { _id: recordId(account, contentHash) },
        { $set: { accountId: account, contentHash, state: 'stored', lastClaimedAt: now } },
        { upsert: true },
      );
    },
  };
}
