import { isDeepStrictEqual } from 'node:util';
import { mongo, type Connection, type Schema } from 'mongoose';

export type NamedIndex = mongo.IndexDescription & { readonly name: string };

/** The indexes of a schema. One without a name is called by its fields, as MongoDB would. */
export function indexesOf(schema: Schema): NamedIndex[] {
  return schema.indexes().map(([key, { background: _old, ...options }]) => {
    const index = { name: Object.entries(key).flat().join('_'), key, ...options };
    // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- mongoose's type is the wider one
    return index as NamedIndex;
  });
}

/**
 * Creates missing collections and indexes, and sets changed times of expiry. It is safe while the database is in use and other
 * processes do the same. An index that this version does not know stays: it is an operator's own, or another version's. Throws
 * {@link IndexConflictError} for one whose definition differs under its own name, else the database's error.
 * @param schemas by collection
 */
export async function ensureIndexes(connection: Connection, schemas: ReadonlyMap<string, Schema>): Promise<void> {
  const database = connection.getClient().db(connection.name);
  await Promise.all(
    [...schemas].map(async ([name, schema]) => {
      // A transaction that has to create its collection sometimes aborts; an empty collection costs nothing.
      await database.createCollection(name).catch((error: unknown) => {
        if (!isAlreadyThere(error)) throw error;
      });
      const wanted = indexesOf(schema);
      if (wanted.length === 0) return;
      await database
        .collection(name)
        .createIndexes(wanted)
        .catch(async (error: unknown) => {
          if (!isIndexConflict(error)) throw error;
          for (const index of wanted) await ensureIndex(database, name, index);
        });
    }),
  );
}

async function ensureIndex(database: mongo.Db, collection: string, index: NamedIndex): Promise<void> {
  const rows = database.collection(collection);
  try {
    await rows.createIndexes([index]);
  } catch (error) {
    if (!isIndexConflict(error)) throw error;
    const known = (await rows.indexes()).find(({ name }) => name === index.name);
    // The same index under another name does the same.
    if (known === undefined && error.message.includes('different name: ')) return;
    if (known === undefined || !isDeepStrictEqual(withoutExpiry(known), withoutExpiry(index)))
      throw new IndexConflictError(`${collection}.${index.name}`, error);
    const { name, expireAfterSeconds } = index;
    await database.command({ collMod: collection, index: { name, expireAfterSeconds } });
  }
}

const withoutExpiry = ({ v: _version, key, expireAfterSeconds, ...index }: mongo.Document): object => ({
  ...index,
  // Their order counts.
  fields: JSON.stringify(key),
  expires: typeof expireAfterSeconds === 'number',
});

/** IndexOptionsConflict and IndexKeySpecsConflict. */
const isIndexConflict = (error: unknown): error is mongo.MongoServerError =>
  error instanceof mongo.MongoServerError && (error.code === 85 || error.code === 86);

/** An index of the database differs from the one that this version has under the same name, or does nearly the same under another. */
export class IndexConflictError extends Error {
  override readonly name = 'IndexConflictError';
  constructor(index: string, cause: mongo.MongoServerError) {
    super(
      `the database has another index than ${index}, made by hand or by an unreleased version: drop it and run the migration again (${cause.message})`,
      { cause },
    );
  }
}

const isAlreadyThere = (error: unknown): boolean => error instanceof mongo.MongoServerError && error.code === 48;
