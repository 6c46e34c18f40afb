import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mongo } from 'mongoose';
import { isDeepStrictEqual } from 'node:util';
import type { Cluster } from '../../../deploy/mongo/divide.ts';
import { canConnect, freePort } from '../../../embedded/choose-port.ts';
import { ManagedProcess } from '../../../embedded/managed-process.ts';
import { pollUntil } from '../../../embedded/poll.ts';
import type { StoreConnection } from '../../../platform/database/connection.ts';

type Document = mongo.Document;

/** A real config server, which keeps zones and ranges and refuses wrong ones. No registry has a mongos to stand before it. */
export async function startConfigServer(): Promise<{ readonly config: mongo.Db; readonly stop: () => Promise<void> }> {
  const port = await freePort();
  const folder = mkdtempSync(join(process.env['TEST_DIRECTORY'] ?? tmpdir(), 'config-server-'));
  const server = new ManagedProcess({
    name: 'config server',
    command: process.env['ITEMBRIDGE_MONGOD_BIN'] ?? 'mongod',
    args: [
      ...['--configsvr', '--replSet', 'config', '--bind_ip', '127.0.0.1', '--port', String(port), '--dbpath', folder],
      ...['--wiredTigerCacheSizeGB', '0.25', '--oplogSize', '256', '--quiet', '--nounixsocket'],
    ],
    environment: process.env,
    logFile: `${folder}.log`,
    readySource: 'none',
    startTimeoutMs: 60_000,
    stopTimeoutMs: 15_000,
    waitReady: async (_announced, signal) => {
      await pollUntil(() => canConnect(port), signal, 50);
    },
  });
  await server.start();
  const client = await mongo.MongoClient.connect(`mongodb://127.0.0.1:${port}/?directConnection=true`);
  const admin = client.db('admin');
  const members = [{ _id: 0, host: `127.0.0.1:${port}` }];
  await admin.command({ replSetInitiate: { _id: 'config', configsvr: true, members } });
  const isPrimary = async () => ((await admin.command({ hello: 1 }))['isWritablePrimary'] === true ? true : undefined);
  await pollUntil(isPrimary, AbortSignal.timeout(60_000), 50);
  const stop = async (): Promise<void> => {
    await client.close();
    await server.kill9();
  };
  return { config: client.db('config'), stop };
}

const majority = { writeConcern: { w: 'majority' } } as const;

/**
 * A cluster as its mongos shows it: zones and ranges are a real config server's, indexes a real server's. Only the division itself is
 * played, by the rules of MongoDB's manual.
 */
export class ACluster implements Cluster {
  readonly #config: mongo.Db;
  readonly #store: StoreConnection;

  constructor(config: mongo.Db, store: StoreConnection) {
    this.#config = config;
    this.#store = store;
  }

  /** Without any other shard, zone, range or collection. */
  async begin(...shards: readonly string[]): Promise<this> {
    for (const name of ['shards', 'tags', 'collections']) await this.#config.collection(name).deleteMany({}, majority);
    for (const shard of shards) await this.addShard(shard);
    return this;
  }

  async addShard(name: string): Promise<void> {
    const shard: Document = { _id: name, host: `${name}/127.0.0.1:1`, state: 1 };
    await this.#config.collection('shards').insertOne(shard, majority);
  }

  /** The shard of the zone in which a row with this value in the first field of its key lies. */
  async shardOf(collection: string, value: string): Promise<unknown> {
    const ranges = await this.config('tags', { ns: `${this.#store.connection.name}.${collection}` });
    const holds = ({ min, max }: Document): boolean => order(first(min), value) <= 0 && order(value, first(max)) < 0;
    const tag: unknown = ranges.find(holds)?.['tag'];
    return (await this.config('shards', { tags: tag }))[0]?.['_id'];
  }

  readonly admin = async (command: Document): Promise<Document> => {
    const [[name, target] = ['', undefined], ...rest] = Object.entries(command);
    const admin = this.#config.client.db('admin');
    switch (name) {
      case 'hello':
        return { msg: 'isdbgrid' };
      case 'enableSharding':
        return { ok: 1 };
      case 'addShardToZone':
        return admin.command({ _configsvrAddShardToZone: target, ...Object.fromEntries(rest), ...majority });
      case 'updateZoneKeyRange':
        return admin.command({ _configsvrUpdateZoneKeyRange: target, ...Object.fromEntries(rest), ...majority });
      case 'shardCollection':
        return this.#divide(String(target), command);
      default:
        throw new Error(`no such command: ${name}`);
    }
  };

  readonly config = (collection: string, filter: Document): Promise<Document[]> =>
    this.#config.collection(collection).find(filter).toArray();

  readonly indexes = (collection: string): Promise<Document[]> => this.#rows(collection).indexes();

  readonly createIndex = (collection: string, index: mongo.IndexDescription): Promise<unknown> =>
    this.#rows(collection).createIndexes([index]);

  #rows(collection: string): mongo.Collection {
    const { connection } = this.#store;
    return connection.getClient().db(connection.name).collection(collection);
  }

  /** An index without a condition begins with the key, and so does every unique one. */
  async #divide(namespace: string, { key }: Document): Promise<Document> {
    const [present] = await this.config('collections', { _id: namespace });
    if (present !== undefined && !isDeepStrictEqual(present['key'], key)) throw new Error('it has another key');
    const indexes = await this.indexes(namespace.slice(namespace.indexOf('.') + 1));
    const begins = (index: Document): boolean =>
      isDeepStrictEqual(Object.entries(index['key']).slice(0, Object.keys(key).length), Object.entries(key));
    if (!indexes.some((index) => begins(index) && index['partialFilterExpression'] === undefined))
      throw new Error('no index supports the key');
    if (indexes.some((index) => index['unique'] === true && !begins(index)))
      throw new Error('a unique index does not begin with the key');
    const entry: Document = { _id: namespace, key, unique: false, ...versionOf() };
    if (present === undefined) await this.#config.collection('collections').insertOne(entry, majority);
    return { ok: 1 };
  }
}

/** The config server reads an entry of a collection only whole. */
const versionOf = () => ({
  uuid: new mongo.UUID(),
  timestamp: new mongo.Timestamp({ t: 1, i: 1 }),
  lastmodEpoch: new mongo.ObjectId(),
  lastmod: new Date(0),
});

const first = (bound: Document): unknown => Object.values(bound)[0];

/** Of lowest, texts, highest. */
function order(one: unknown, other: unknown): number {
  const rank = (value: unknown): number => (value instanceof mongo.MinKey ? 0 : value instanceof mongo.MaxKey ? 2 : 1);
  if (rank(one) !== rank(other)) return rank(one) - rank(other);
  return rank(one) === 1 ? String(one).localeCompare(String(other), 'en') : 0;
}
