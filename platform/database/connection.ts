import mongoose, { mongo, type Connection, type Model, type Schema } from 'mongoose';
import pTimeout from 'p-timeout';
import { NotAnswered, NotBegun } from '../concurrency/batcher.ts';
import { ensureIndexes, indexesOf, type NamedIndex } from './indexes.ts';
import { patchMongodbDriver } from './patch-mongodb-driver.ts';

/** An open database. It has its own connection, never mongoose's global one, so that one process may hold several. */
export interface StoreConnection {
  readonly connection: Connection;
  readonly clock: DatabaseClock;
  /** Creates the collections and indexes that are missing. `migrate` does it; several processes may at the same time. */
  ensureIndexes(): Promise<void>;
  /** Whether the primary answers right now, within a second. Never throws. */
  isReachable(): Promise<boolean>;
  close(): Promise<void>;
}

export interface StoreOptions {
  readonly uri: string;
  readonly database: string;
}

/**
 * How long an operation searches for the primary before it fails: short, so that callers get their 503 before their own
 * time-out.
 */
const serverSelectionTimeoutMs = 3_000;
/** A server that accepts connections but does not answer is given up after the sum of these two. */
const heartbeatIntervalMs = 2_000;
const connectTimeoutMs = 5_000;
const reachableTimeoutMs = 1_000;

/**
 * A start waits longer than a call: the primary may not be elected yet, or the machine may be busy with other starts.
 */
const openAttemptsMax = 4;

/**
 * Connects and waits for the primary. Every write is acknowledged by a majority and journaled, because a 202 promises
 * exactly that (protocol 1). Every read is a majority read.
 * Throws the driver's error when no primary is found within some 12 s.
 */
export async function openStore(options: StoreOptions): Promise<StoreConnection> {
  const connection = await connect(options);
  const clock = new DatabaseClock();
  await setClock(connection, clock);
  return {
    connection,
    clock,
    ensureIndexes: () => ensureIndexes(connection, definitions),
    isReachable: () => isReachable(connection),
    close: () => connection.close(),
  };
}

async function connect({ uri, database }: StoreOptions, attempt = 1): Promise<Connection> {
  await patchMongodbDriver();
  const connection = mongoose.createConnection(uri, {
    dbName: database,
    autoIndex: false,
    autoCreate: false,
    bufferCommands: false,
    serverSelectionTimeoutMS: serverSelectionTimeoutMs,
    heartbeatFrequencyMS: heartbeatIntervalMs,
    connectTimeoutMS: connectTimeoutMs,
    writeConcern: { w: 'majority', journal: true },
    // Without a majority, a value may vanish in a failover while effects that were based on it would stay.
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
 * Defines a collection and its schema once, next to the functions that use it. The result gives the typed model of a
 * connection. Indexes belong to the schema (`schema.index(…)`), because {@link StoreConnection.ensureIndexes} creates
 * those.
 */
export function defineCollection<Row>(name: string, schema: Schema): (store: StoreConnection) => Model<Row> {
  define(name, schema);
  return (store) => modelOn<Row>(store.connection, name, schema);
}

/**
 * The same for a collection that the driver alone reads and writes. It is typed by its row and does no casting, which would cost more
 * than some commands. The schema has nothing but indexes.
 */
export function defineRows<Row extends mongo.Document>(
  name: string,
  schema: Schema,
): (store: StoreConnection) => mongo.Collection<Row> {
  define(name, schema);
  return ({ connection }) => connection.collection<Row>(name);
}

/** The indexes of every collection that this process knows, by collection. */
export const definedIndexes = (): ReadonlyMap<string, readonly NamedIndex[]> =>
  new Map([...definitions].map(([name, schema]) => [name, indexesOf(schema)]));

function define(name: string, schema: Schema): void {
  if (definitions.has(name)) throw new Error(`the collection ${name} is defined twice`);
  definitions.set(name, schema);
}

function modelOn<Row>(connection: Connection, name: string, schema: Schema): Model<Row> {
  const known: unknown = connection.models[name] ?? connection.model<unknown>(name, schema, name);
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- letting the compiler relate mongoose's model types takes it minutes
  return known as Model<Row>;
}

/** The driver's collection behind a model, for what mongoose can't cast, or casts too slowly. */
export function rowsOf<Row extends mongo.Document>(model: Model<Row>): mongo.Collection<Row> {
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- mongoose types its collection without the row
  return model.collection as unknown as mongo.Collection<Row>;
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
 * Server errors that mean "out of reach": a primary goes down or comes up (stepping down, shutting down, not primary, no
 * majority-committed snapshot), members don't reach each other, or an operation exceeded its time limit.
 */
const outOfReachCodes: ReadonlySet<unknown> = new Set([
  6, 7, 50, 64, 89, 91, 134, 189, 262, 9_001, 10_107, 11_600, 11_602, 13_435, 13_436,
]);

/** Whether the database is out of reach for now: a later retry may succeed, and the caller made no mistake. */
export function isStoreUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // The driver does not export the class of the pool's error.
  if (unreachable.some((kind) => error instanceof kind) || error.name === 'MongoPoolClosedError') return true;
  if (!(error instanceof mongo.MongoError)) return false;
  if (error instanceof mongo.MongoBulkWriteError && isUnanswered(error)) return true;
  return outOfReachCodes.has(error.code) || retryableLabels.some((label) => error.hasErrorLabel(label));
}

/** The majority did not confirm, or the driver has wrapped an unavailability error into the bulk error. */
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
  // Batches: the call waited too long and was not sent, or was sent without an answer.
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

/** Reads the database's time and adjusts the process's clock to it. Returns the time. */
export const readDatabaseTime = ({ connection, clock }: Pick<StoreConnection, 'connection' | 'clock'>): Promise<Date> =>
  setClock(connection, clock);

async function setClock(connection: Connection, clock: DatabaseClock): Promise<Date> {
  const askedAt = performance.now();
  const answer = await connection.getClient().db('admin').command({ hello: 1 });
  const time: unknown = answer['localTime'];
  if (time instanceof Date) {
    clock.learn(time, askedAt);
    return time;
  }
  throw new Error('the database does not tell the time');
}

/** An answer with at most this inaccuracy is always used. */
const fineMs = 10;
/**
 * How fast the known time becomes inaccurate, in ms per ms. It exceeds real clock drift, so that answers over a slow
 * network are used, too.
 */
const lossPerMs = 0.005;

/**
 * The database's time as one process knows it: a monotonic clock, adjusted by the database's answers. It is right to a
 * few milliseconds, whatever the machine's clock says.
 */
export class DatabaseClock {
  #offsetMs: number;
  /** The possible error when the time was learned, and the moment of that. */
  #errorMs = Infinity;
  #learnedAt = 0;

  /** @param offsetMs difference between the database's time and `performance.now()` */
  constructor(offsetMs: number = performance.timeOrigin) {
    this.#offsetMs = offsetMs;
  }

  readonly now = (): Date => new Date(performance.now() + this.#offsetMs);

  /**
   * Uses a time that the database has just answered. `askedAt`: when the question was sent, in ms of
   * `performance.now()`. An answer that took much longer than usual is less exact than what is known and is dropped:
   * the process was paused, or the database unreachable.
   */
  learn(time: Date, askedAt: number): void {
    const at = performance.now();
    const errorMs = (at - askedAt) / 2;
    if (errorMs > Math.max(fineMs, this.#errorMs + (at - this.#learnedAt) * lossPerMs)) return;
    this.#offsetMs = time.getTime() - (askedAt + at) / 2;
    this.#errorMs = errorMs;
    this.#learnedAt = at;
  }
}
