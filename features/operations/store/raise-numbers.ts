import type { StoreConnection } from '../../../platform/database/connection.ts';
import { itemCollection } from '../../items/store/item-collection.ts';
import { orderRows } from '../../orders/store/orders.ts';

/** Revisions that name another one keep their distance from it. */
const raisedWithRevision = (path: string, to: number) => ({
  $add: [path, { $max: [0, { $subtract: [to, '$revision'] }] }],
});

/**
 * Callers and receivers have seen numbers of items and orders that a restored database would give a second time: an `If-Match` would
 * hold for other content, a receiver would drop an event as older or as known. So all go on from `to`, which is above them. May be repeated.
 */
export async function raiseNumbers(store: StoreConnection, to: number): Promise<void> {
  const refused = raisedWithRevision('$$one.refusedRevision', to);
  const listings = {
    $map: { input: '$listings', as: 'one', in: { $mergeObjects: ['$$one', { refusedRevision: refused }] } },
  };
  const numbers = {
    revision: raisedWithRevision('$revision', to),
    settledRevision: raisedWithRevision('$settledRevision', to),
    sequence: { $max: ['$sequence', to] },
    'imageSet.number': { $max: ['$imageSet.number', to] },
    version: { $add: ['$version', 1] },
  };
  await itemCollection(store).updateMany({}, [{ $set: { ...numbers, listings } }]);
  await orderRows(store).updateMany({}, { $max: { revision: to } });
}
