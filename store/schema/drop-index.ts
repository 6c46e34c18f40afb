import { mongo } from 'mongoose';

const indexNotFound = 27;

/** Another process may have done it already. */
export async function dropIndex(collection: mongo.Collection, name: string): Promise<void> {
  await collection.dropIndex(name).catch((error: unknown) => {
    if (!(error instanceof mongo.MongoServerError) || error.code !== indexNotFound) throw error;
  });
}
