import type { StoreConnection } from '../../../platform/database/connection.ts';
import { itemCollection } from '../../items/store/item-collection.ts';
import { orderRows } from '../../orders/store/orders.ts';
import { raiseOfRestore } from '../../webhooks/store/feed-epoch.ts';

const numbered = ['revision', 'settledRevision', 'sequence', 'imageSet.number'] as const;
const raised = (path: string) => ({ $add: [path, raiseOfRestore] });

/**
 * Callers and receivers have seen numbers of items and orders that a restored database would give a second time: an `If-Match` would
 * hold for other content, a receiver would drop an event as older or as known. So all go on far above them. May be repeated.
 */
export async function raiseNumbers(store: StoreConnection): Promise<void> {
  const refused = { $cond: [{ $eq: ['$$one.refusedRevision', null] }, null, raised('$$one.refusedRevision')] };
  const listings = {
    $map: { input: '$listings', as: 'one', in: { $mergeObjects: ['$$one', { refusedRevision: refused }] } },
  };
  const numbers = numbered.map((name) => [name, raised(`$${name}`)] as const);
  const version = { $add: ['$version', 1] };
  await itemCollection(store).updateMany({}, [{ $set: { ...Object.fromEntries(numbers), version, listings } }]);
  await orderRows(store).updateMany({}, { $inc: { revision: raiseOfRestore } });
}
