import { setTimeout as pause } from 'node:timers/promises';
import { Schema } from 'mongoose';
import type { WantedStructure } from '../../../store/schema/ensure-indexes.ts';

const day = 24 * 3_600;

function firstRelease(): WantedStructure {
  const people = new Schema({}, { strict: false });
  people.index({ email: 1 }, { unique: true });
  people.index({ seenAt: 1 }, { expireAfterSeconds: day });
  people.index({ leftAt: 1 }, { expireAfterSeconds: day });
  people.index({ city: 1 });
  return { schemas: new Map([['people', people]]), migrations: [] };
}

/** Another condition under the same name, other times, one index more and one less, and documents changed for good. */
function secondRelease(): WantedStructure {
  const people = new Schema({}, { strict: false });
  people.index({ email: 1 }, { unique: true, partialFilterExpression: { current: true } });
  people.index({ seenAt: 1 }, { expireAfterSeconds: 2 * day });
  people.index({ leftAt: 1 });
  people.index({ country: 1, city: 1 });
  return {
    schemas: new Map([['people', people]]),
    migrations: [
      {
        version: 1,
        what: 'e-mail addresses of former people may come again',
        run: async (database) => {
          await database.collection<{ _id: string }>('log').insertOne({ _id: `run ${process.pid} ${Date.now()}` });
          await database.collection('people').updateMany({ current: null }, { $set: { current: true } });
          await pause(300);
        },
        obsoleteIndexes: [{ collection: 'people', name: 'city_1' }],
      },
    ],
  };
}

export const structures = { first: firstRelease, second: secondRelease };
