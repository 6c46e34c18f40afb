import { Schema } from 'mongoose';
import type { Vehicle } from '../../core/vehicles/vehicle.ts';
import { defineCollection, isDuplicateKey, type StoreConnection } from '../database/connection.ts';

/** The registry's answer for a plate. `vehicle` is null for a plate that the registry does not know. */
export interface VehicleLookupRecord {
  readonly vehicle: Vehicle | null;
  readonly askedAt: Date;
  /** When the database may delete the row. That takes a minute or more, so readers must check the age themselves. */
  readonly purgeAt: Date;
}

interface Row extends VehicleLookupRecord {
  /** The normalised plate. */
  readonly _id: string;
}

const schema = new Schema({ _id: String, vehicle: {}, askedAt: Date, purgeAt: Date }, { versionKey: false });
schema.index({ purgeAt: 1 }, { expireAfterSeconds: 0 });
const model = defineCollection<Row>('vehicle_lookups', schema);

export interface VehicleLookupStore {
  find(plate: string): Promise<VehicleLookupRecord | null>;
  /** Keeps the newer record when several processes asked at the same time. */
  save(plate: string, record: VehicleLookupRecord): Promise<void>;
}

/** Answers of the vehicle registry, shared by all accounts and processes. */
export function createVehicleLookupStore(store: StoreConnection): VehicleLookupStore {
  const lookups = model(store);
  return {
    find: (plate) => lookups.findOne({ _id: plate }).lean<VehicleLookupRecord>(),
    save: async (plate, record) => {
      try {
        await lookups.updateOne({ _id: plate, askedAt: { $lte: record.askedAt } }, { $set: record }, { upsert: true });
      } catch (error) {
        // A newer record exists, which the filter did not match.
        if (!isDuplicateKey(error)) throw error;
      }
    },
  };
}
