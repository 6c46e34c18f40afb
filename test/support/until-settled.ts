import { until } from './until.ts';
import type { TestAccount, World } from './world.ts';

/** Waits until nothing is left to do for any item, deleted ones too, that the account ever had under the external id. */
export const untilSettled = (world: World, account: TestAccount, externalId: string): Promise<unknown> =>
  until(`${externalId} is settled`, async () => {
    const items = world.foundation.store.connection.collection('items');
    const rows = await items.find({ accountId: account.id, externalId }).toArray();
    return rows.length > 0 && rows.every((row) => row['revision'] === row['settledRevision']);
  });
