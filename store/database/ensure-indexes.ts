import { mongo, type Connection, type Schema } from 'mongoose';

/**
 * Creates missing collections and indexes. It is safe while the database is in use and other processes do the same. Existing
 * indexes stay, even an operator's own. Throws the database's error, for instance when an index of the same name has another
 * definition: the first release that changes an index brings the step that replaces it.
 * @param schemas by collection
 */
export async function ensureIndexes(connection: Connection, schemas: ReadonlyMap<string, Schema>): Promise<void> {
  const database = connection.getClient().db(connection.name);
  await Promise.all(
    [...schemas].map(async ([name, schema]) => {
      // A transaction that has to create its collection sometimes aborts; an empty collection costs nothing.
      const size = schema.get('capped');
      const options = typeof size === 'number' ? { capped: true, size } : {};
      await database.createCollection(name, options).catch((error: unknown) => {
        if (!isAlreadyThere(error)) throw error;
      });
      const indexes = schema.indexes().map(([key, { background: _old, ...options }]) => ({ ...options, key }));
      // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- mongoose's type is the wider one
      if (indexes.length > 0) await database.collection(name).createIndexes(indexes as mongo.IndexDescription[]);
    }),
  );
}

const isAlreadyThere = (error: unknown): boolean => error instanceof mongo.MongoServerError && error.code === 48;
