import { Schema } from 'mongoose';
import type { Vehicle } from '../rules/vehicle.ts';
import { defineCollection, isDuplicateKey, type StoreConnection } from '../../../platform/database/connection.ts';

/** The registry's answer for a plate. `vehicle` is null for a plate that the registry does not know. */
export interface KnownVehicle {
  readonly vehicle: Vehicle | null;
  readonly askedAt: Date;
}

export interface VehicleLookupRecord extends KnownVehicle {
  /** When the database may delete the row. That takes a minute or more, so readers must check the age themselves. */
  readonly purgeAt: Date;
}

interface Row extends VehicleLookupRecord {
  /** The normalised plate. */
  readonly _id: string;
}

const schema = new Schema({ _id: String, vehicle: {}, askedAt: Date, purgeAt: Date }, { versionKey: false });
schema.index({ purgeAt: 1 }, { expireAfterSeconds: 0 });
const lookupModel = defineCollection<Row>('vehicle_lookups', schema);

export interface VehicleLookupStore {
  find(plate: string): Promise<VehicleLookupRecord | null>;
  /** Keeps the newer record when several processes asked at the same time. */
  save(plate: string, record: VehicleLookupRecord): Promise<void>;
}

/** Answers of the vehicle registry, shared by all accounts and processes. */
export function createVehicleLookupStore(store: StoreConnection): VehicleLookupStore {
  const lookups = lookupModel(store);
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

const hourMs = 3_600_000;
/** Specification "Limits". */
const freshMs = 24 * hourMs;
/** Short, because an unknown plate may be assigned or registered at any moment. */
const unknownFreshMs = hourMs / 6;
/** Make, model and year of a plate rarely change, so while the registry is unavailable an answer of this age is used. */
const staleMs = 30 * 24 * hourMs;

const ageMs = ({ askedAt }: KnownVehicle, now: Date): number => now.getTime() - askedAt.getTime();

export const isFresh = (known: KnownVehicle, now: Date): boolean =>
  ageMs(known, now) < (known.vehicle === null ? unknownFreshMs : freshMs);

/** An answer "unknown" must not outlive its time: it would hide a vehicle that exists by then. */
export const isUsableWithoutRegistry = (known: KnownVehicle, now: Date): boolean =>
  known.vehicle !== null && ageMs(known, now) < staleMs;

export const recordOf = (vehicle: Vehicle | null, askedAt: Date): VehicleLookupRecord => ({
  vehicle,
  askedAt,
  purgeAt: new Date(askedAt.getTime() + (vehicle === null ? unknownFreshMs : staleMs)),
});
