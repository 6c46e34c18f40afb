import { Schema, type mongo } from 'mongoose';
import { defineCollection, rowsOf, type StoreConnection } from '../database/connection.ts';

/** A worker process that dispatches work. It renews its row every second. */
export interface WorkerRow {
  readonly _id: string;
  /** By the database's clock. */
  readonly seenAt: Date;
}

const schema = new Schema({ _id: String, seenAt: Date }, { versionKey: false });
// The rows of killed processes expire after a day; other processes remove their own rows.
schema.index({ seenAt: 1 }, { expireAfterSeconds: 86_400 });
const model = defineCollection<WorkerRow>('workers', schema);
const rows = (store: StoreConnection): mongo.Collection<WorkerRow> => rowsOf(model(store));

/** No majority is needed: after a failover the next heartbeat comes within a second. */
const quickly = { writeConcern: { w: 1 } } as const;

/** Stores the process's heartbeat. Returns the database's time. */
export async function beat(store: StoreConnection, id: string): Promise<Date> {
  const options = { upsert: true, returnDocument: 'after', ...quickly } as const;
  const row = await rows(store).findOneAndUpdate({ _id: id }, { $currentDate: { seenAt: true } }, options);
  if (row === null) throw new Error('the database did not store the beat');
  return row.seenAt;
}

/** All rows, also those of ended processes. */
export const listWorkers = (store: StoreConnection): Promise<WorkerRow[]> =>
  rows(store)
    .find({}, { readConcern: { level: 'local' } })
    .toArray();

/** Removes the rows of processes. */
export async function removeWorkers(store: StoreConnection, ids: readonly string[]): Promise<void> {
  await rows(store).deleteMany({ _id: { $in: [...ids] } }, quickly);
}
