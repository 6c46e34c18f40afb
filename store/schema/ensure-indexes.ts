import { mongo, type Connection, type Schema } from 'mongoose';
import { dropIndex } from './drop-index.ts';
import { migrate, type Migration } from './migrate.ts';
import { planIndexes, type IndexPlan, type IndexSpec } from './plan-indexes.ts';

export interface WantedStructure {
  /** By collection. */
  readonly schemas: ReadonlyMap<string, Schema>;
  readonly migrations: readonly Migration[];
}

/**
 * Brings collections and indexes to what this version of the code wants, while others use the database and other processes do the
 * same. An index whose definition has changed is first built under another name and only then dropped, so that what is unique is
 * guarded all the time. An index that nobody here knows, an operator's own, stays. A process that is older than the database adds
 * what it misses and takes nothing from its successors. Throws the database's error, for instance when a new unique index meets
 * rows that contradict it: then the old one is still there.
 */
export async function ensureIndexes(connection: Connection, { schemas, migrations }: WantedStructure): Promise<void> {
  const database = connection.getClient().db(connection.name);
  const wanted = [...schemas].map(([name, schema]) => ({
    collection: database.collection(name),
    indexes: indexesOf(schema),
  }));
  const onEach = async (work: (collection: mongo.Collection, indexes: readonly IndexSpec[]) => Promise<void>) => {
    await Promise.all(wanted.map(({ collection, indexes }) => work(collection, indexes)));
  };
  // A transaction that has to create its collection aborts now and then; an empty one costs nothing.
  await onEach(async ({ collectionName }) => {
    await database.createCollection(collectionName).catch((error: unknown) => {
      if (!hasCode(error, alreadyThere)) throw error;
    });
  });
  await migrate(database, {
    migrations,
    add: () => onEach(addIndexes),
    retire: () => onEach((collection, indexes) => retireIndexes(collection, indexes, database)),
  });
}

const [alreadyThere, nameTaken, otherOptions] = [48, 86, 85];
const addAttemptsMax = 5;

/** Again when another process was quicker with an index under the name that was chosen here. */
async function addIndexes(collection: mongo.Collection, wanted: readonly IndexSpec[]): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const { present, missing } = await planFor(collection, wanted);
    try {
      // One that is there costs nothing; one that another process is still building is waited for.
      await create(collection, [...present, ...missing]);
      return;
    } catch (error) {
      if (!hasCode(error, nameTaken, otherOptions) || attempt === addAttemptsMax) throw error;
    }
  }
}

/** Drops what was replaced, once what took its place is there for certain. */
export async function retireIndexes(
  collection: mongo.Collection,
  wanted: readonly IndexSpec[],
  database: mongo.Db,
): Promise<void> {
  let plan = await planFor(collection, wanted);
  // Another process, of another version, may have taken away meanwhile what stands in for those.
  for (let attempt = 1; plan.missing.length > 0; attempt += 1) {
    if (attempt > addAttemptsMax)
      throw new Error(`indexes of ${collection.collectionName} are taken away again and again`);
    await addIndexes(collection, wanted);
    plan = await planFor(collection, wanted);
  }
  const { retimed, replaced } = plan;
  for (const index of retimed) await database.command({ collMod: collection.collectionName, index });
  for (const name of replaced) await dropIndex(collection, name);
}

async function planFor(collection: mongo.Collection, wanted: readonly IndexSpec[]): Promise<IndexPlan> {
  const existing = await collection.listIndexes().toArray();
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- the driver leaves open what the server always sends
  const known = existing as unknown as IndexSpec[];
  return planIndexes(
    wanted,
    known.filter(({ name }) => name !== '_id_'),
  );
}

async function create(collection: mongo.Collection, indexes: readonly IndexSpec[]): Promise<void> {
  if (indexes.length === 0) return;
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- ours is the stricter type
  await collection.createIndexes(indexes as unknown as mongo.IndexDescription[]);
}

function indexesOf(schema: Schema): IndexSpec[] {
  return schema.indexes().map(([key, options]) => {
    const { name, unique, sparse, partialFilterExpression, collation, expireAfterSeconds } = options;
    const given = { unique, sparse, partialFilterExpression, collation, expireAfterSeconds };
    const settings = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    return { ...settings, key, name: name ?? defaultName(key) };
  });
}

/** As the driver names them: `accountId_1_createdAt_-1`. */
const defaultName = (key: object): string =>
  Object.entries(key)
    .map(([field, direction]) => `${field}_${direction}`)
    .join('_');

const hasCode = (error: unknown, ...codes: readonly unknown[]): boolean =>
  error instanceof mongo.MongoServerError && codes.includes(error.code);
