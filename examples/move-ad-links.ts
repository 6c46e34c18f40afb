// `npm start` runs it when the simulated marketplace has another address than at the start before: the service keeps the links to
// auctions as the marketplace told them, and those would lead nowhere. A real marketplace stays where it is.
import { pathToFileURL } from 'node:url';
import { loadConfig } from '../compose/config.ts';
import { schemaVersion } from '../compose/schema-steps.ts';
import type { StoreConnection } from '../platform/database/connection.ts';
import { openMigratedStore } from '../platform/database/schema-version.ts';

/** Returns the number of items whose links were changed. */
export async function moveAdLinks({ connection }: StoreConnection, from: string, to: string): Promise<number> {
  const adUrl = { $replaceOne: { input: '$$this.adUrl', find: from, replacement: to } };
  const listings = { $map: { input: '$listings', in: { $mergeObjects: ['$$this', { adUrl }] } } };
  const isThere = { $gte: from, $lt: `${from}\uFFFF` };
  const { modifiedCount } = await connection
    .collection('items')
    .updateMany({ 'listings.adUrl': isThere }, [{ $set: { listings } }]);
  return modifiedCount;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [from = '', to = ''] = process.argv.slice(2);
  const store = await openMigratedStore({ ...loadConfig().mongo, schemaVersion });
  await moveAdLinks(store, from, to);
  await store.close();
}
