import { schemaSteps, schemaVersion } from '../../../compose/schema-steps.ts';
import type { Step } from '../../../platform/database/migrate.ts';

/** The field that the planted change gives to every item that is there. */
export const plantedField = 'planted';

/** What a release may do so that the one before still runs: a changed index beside the old one, and a field more in each row. */
export const plantedSteps: readonly Step[] = [
  ...schemaSteps,
  {
    number: schemaVersion + 1,
    does: 'a changed index of items, beside the old one',
    run: async ({ connection }) => {
      const partialFilterExpression = { startAt: { $type: 'date' } };
      await connection
        .collection('items')
        .createIndex({ bulk: 1, startAt: 1, _id: 1 }, { name: 'owed_2', partialFilterExpression }, {});
    },
  },
  {
    number: schemaVersion + 2,
    does: 'a field more in each item',
    run: async ({ connection }) => {
      await connection
        .collection('items')
        .updateMany({ [plantedField]: { $exists: false } }, { $set: { [plantedField]: 1 } });
    },
  },
];
