import pTimeout from 'p-timeout';
import mongoose, { mongo, type Connection, type Model, type Schema } from 'mongoose';
import { NotAnswered, NotBegun } from '../../platform/concurrency/batcher.ts';
import { ensureIndexes } from './ensure-indexes.ts';
import { patchMongodbDriver } from './patch-mongodb-driver.ts';

/** An open database: a connection of its own, never mongoose's global one, so that one process may hold several. */
export interface StoreConnection {
  readonly connection: Connection;
  /** Creates the collections and indexes that are missing. Several processes may do it at the same time. */
  ensureIndexes(): Promise<void>;
  /** Whether the primary answers right now, within a second. Never throws. */
  isReachable(): Promise<boolean>;
  close(): Promise<void>;
}

export interface StoreOptions {
  readonly uri: string;
  readonly database: string;
}

/** How long an operation looks for the primary before it fails: short, so that callers get their 503 while they still wait. */
const serverSelectionTimeoutMs = 3_000;
/** A server that accepts connections but answers nothing is given up after these two together. */
const heartbeatIntervalMs = 2_000;
const connectTimeoutMs = 5_000;
const reachableTimeoutMs = 1_000;

/** A start has more patience than a caller: a primary may be about to be elected, or the machine busy with starting everything. */
const openAttemptsMax = 4;

/**
 * Connects and waits for the primary. Every write is acknowledged by a majority and journaled, because a 202 promises
 * exactly that (protocol 1), and every read is of what a majority has (decision 107).
 * Throws the driver's error when no primary is found within some 12 s.
 */
export async function openStore(options: StoreOptions): Promise<StoreConnection> {
  const connection = await connect(options);
  return {
    connection,
    ensureIndexes: () => ensureIndexes(connection, definitions),
    isReachable: () => isReachable(connection),
    close: () => connection.close(),
  };
}

async function connect({ uri, database }: StoreOptions, attempt = 1): Promise<Connection> {
  patchMongodbDriver();
  const connection = mongoose.createConnection(uri, {
    dbName: database,
    autoIndex: false,
    autoCreate: false,
    bufferCommands: false,
    serverSelectionTimeoutMS: serverSelectionTimeoutMs,
    heartbeatFrequencyMS: heartbeatIntervalMs,
    connectTimeoutMS: connectTimeoutMs,
    writeConcern: { w: 'majority', journal: true },
    // What no majority has may be gone after a failover, and what was done because of it would stay.
    readConcernLevel: 'majority',
    retryWrites: true,
  });
  try {
    return await connection.asPromise();
  } catch (error) {
    await connection.close();
    if (attempt === openAttemptsMax || !isStoreUnavailable(error)) throw error;
    return connect({ uri, database }, attempt + 1);
  }
}

const definitions = new Map<string, Schema>();

/**
 * Names a collection and its schema, once, beside the functions that use it. The result gives the typed model on a connection.
 * Indexes belong on the schema (`schema.index(…)`): that is what {@link StoreConnection.ensureIndexes} creates.
 */
export function defineCollection<Row>(name: string, schema: Schema): (store: StoreConnection) => Model<Row> {
  if (definitions.has(name)) throw new Error(`the collection ${name} is defined twice`);
  definitions.set(name, schema);
  return (store) => modelOn<Row>(store.connection, name, schema);
}

function modelOn<Row>(connection: Connection, name: string, schema: Schema): Model<Row> {
  const known: unknown = connection.models[name] ?? connection.model<unknown>(name, schema, name);
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- letting the compiler relate mongoose's model types takes it minutes
  return known as Model<Row>;
}

async function isReachable(connection: Connection): Promise<boolean> {
  try {
    const answered = connection.getClient().db('admin').command({ ping: 1 });
    await pTimeout(answered, { milliseconds: reachableTimeoutMs });
    return true;
  } catch {
    return false;
  }
}

/**
 * Server errors of a primary that goes away or comes up (stepping down, shutting down, not yet or no longer primary, no snapshot
 * that a majority has), of members that don't reach each other, and of what took longer than it was allowed to.
 */
const outOfReachCodes: ReadonlySet<unknown> = new Set([
  6, 7, 50, 64, 89, 91, 134, 189, 262, 9_001, 10_107, 11_600, 11_602, 13_435, 13_436,
]);

/** Whether an error means that the database is out of reach for now: trying again later may help, the caller did nothing wrong. */
export function isStoreUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // The driver does not export the class of the last one.
  if (unreachable.some((kind) => error instanceof kind) || error.name === 'MongoPoolClosedError') return true;
  if (!(error instanceof mongo.MongoError)) return false;
  if (error instanceof mongo.MongoBulkWriteError && isUnanswered(error)) return true;
  return outOfReachCodes.has(error.code) || retryableLabels.some((label) => error.hasErrorLabel(label));
}

/** The majority did not confirm, or what kept the bulk write from being carried out is of that kind: the driver wraps that. */
const isUnanswered = ({ result, errorResponse }: mongo.MongoBulkWriteError): boolean =>
  result.getWriteConcernError() !== undefined || isStoreUnavailable(errorResponse);

const unreachable = [
  mongoose.Error.MongooseServerSelectionError,
  mongo.MongoServerSelectionError,
  mongo.MongoNetworkError,
  mongo.MongoNotConnectedError,
  mongo.MongoTopologyClosedError,
  mongo.MongoExpiredSessionError,
  mongo.MongoWriteConcernError,
  // Others were waited for in vain, and nothing was sent; or it was sent, and nothing came back.
  NotBegun,
  NotAnswered,
] as const;

const retryableLabels = ['RetryableWriteError', 'TransientTransactionError'] as const;

/** A unique index already holds the key. */
export const duplicateKey = 11_000;

/** Whether a write was refused because of {@link duplicateKey}. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === duplicateKey;
}

/** The database's own clock. */
export async function readDatabaseTime(store: StoreConnection): Promise<Date> {
  const answer = await store.connection.getClient().db('admin').command({ hello: 1 });
  const time: unknown = answer['localTime'];
  if (time instanceof Date) return time;
  throw new Error('the database does not tell the time');
}
