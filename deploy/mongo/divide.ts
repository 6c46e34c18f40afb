import { isDeepStrictEqual } from 'node:util';
import { mongo } from 'mongoose';
import { openStore, type StoreConnection } from '../../platform/database/connection.ts';

type Document = mongo.Document;

/** As a schema states it; `{}` for a collection that stays on one shard. */
export type ShardKey = Readonly<Record<string, unknown>>;

/** What of a cluster is asked: everything goes through its mongos. */
export interface Cluster {
  readonly admin: (command: Document) => Promise<Document>;
  readonly config: (collection: 'shards' | 'collections' | 'tags', filter: Document) => Promise<Document[]>;
  readonly indexes: (collection: string) => Promise<Document[]>;
  readonly createIndex: (collection: string, index: mongo.IndexDescription) => Promise<unknown>;
}

function clusterOf({ connection }: StoreConnection): Cluster {
  const client = connection.getClient();
  const rows = (collection: string) => client.db(connection.name).collection(collection);
  return {
    admin: (command) => client.db('admin').command(command),
    config: (collection, filter) => client.db('config').collection(collection).find(filter).toArray(),
    indexes: (collection) => rows(collection).indexes(),
    createIndex: (collection, index) => rows(collection).createIndexes([index]),
  };
}

/** The server can't divide anything. */
export class NoMongos extends Error {
  override readonly name = 'NoMongos';
  constructor({ setName }: Document) {
    const found = typeof setName === 'string' ? `a member of the replica set ${setName}` : 'a mongod alone';
    super(`this server is no mongos but ${found}: a database is divided through a mongos of its cluster`);
  }
}

export interface Division {
  readonly database: string;
  readonly keys: ReadonlyMap<string, ShardKey>;
}

/** Makes the collections of a database and divides them. Throws {@link NoMongos}, and an Error when the cluster then shows otherwise. */
export async function divideDatabase(uri: string, division: Division): Promise<void> {
  const store = await openStore({ uri, database: division.database });
  try {
    const cluster = clusterOf(store);
    await requireMongos(cluster);
    await store.ensureIndexes();
    await divide(cluster, division);
    const found = await differences(cluster, division);
    if (found.length > 0) throw new Error(`the cluster does not show what it was told:\n${found.join('\n')}`);
  } finally {
    await store.close();
  }
}

/** Throws {@link NoMongos}. */
async function requireMongos(cluster: Cluster): Promise<void> {
  const hello = await cluster.admin({ hello: 1 });
  if (hello['msg'] !== 'isdbgrid') throw new NoMongos(hello);
}

/**
 * Divides the collections, which exist, by their keys, over a zone for each shard. May be repeated, and is after a shard was added.
 * Throws {@link NoMongos}.
 */
export async function divide(cluster: Cluster, { database, keys }: Division): Promise<void> {
  const zones = await readZones(cluster);
  await cluster.admin({ enableSharding: database });
  for (const { shard, name } of zones) await cluster.admin({ addShardToZone: shard, zone: name });
  for (const [collection, key] of keys) {
    if (isWhole(key)) continue;
    const namespace = `${database}.${collection}`;
    if (!(await cluster.indexes(collection)).some((index) => supports(index, key)))
      await cluster.createIndex(collection, {
        name: 'shard_key',
        key: { ...key } as Record<string, mongo.IndexDirection>,
      });
    await moveRanges(cluster, namespace, rangesOf(key, zones));
    await cluster.admin({ shardCollection: namespace, key });
  }
}

/** What the cluster has otherwise than {@link divide} makes it; empty when all is right. Throws {@link NoMongos}. */
export async function differences(cluster: Cluster, { database, keys }: Division): Promise<string[]> {
  const zones = await readZones(cluster);
  const shards = await cluster.config('shards', {});
  const found = zones
    .filter(({ shard, name }) => !listOf(shards.find(({ _id }) => _id === shard)?.['tags']).includes(name))
    .map(({ shard, name }) => `the shard ${shard} is not in the zone ${name}`);
  for (const [collection, key] of keys) {
    const namespace = `${database}.${collection}`;
    const [entry] = await cluster.config('collections', { _id: namespace, unsplittable: { $ne: true } });
    if (!isDeepStrictEqual(entry?.['key'] ?? {}, key))
      found.push(`${namespace} has the shard key ${said(entry?.['key'])}, not ${said(key)}`);
    const ranges = (await cluster.config('tags', { ns: namespace })).map(rangeOfTag);
    const wanted = rangesOf(key, zones);
    const missing = wanted.filter((range) => !ranges.some((one) => isSame(one, range)));
    if (missing.length > 0 || ranges.length > wanted.length) found.push(`${namespace} has other ranges of zones`);
  }
  return found;
}

const said = (key: unknown): string => JSON.stringify(key ?? {});
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const isWhole = (key: ShardKey): boolean => Object.keys(key).length === 0;

interface Zone {
  readonly name: string;
  readonly shard: string;
  /** Of ids; null: from the lowest, up to the highest. */
  readonly from: string | null;
  readonly to: string | null;
}

/**
 * An equal part of all ids for each shard. Rows are divided by ids that begin with a random UUID: the account's, or an upload's. The
 * same parts in every collection keep an account's rows on one shard.
 */
async function readZones(cluster: Cluster): Promise<Zone[]> {
  await requireMongos(cluster);
  const shards = (await cluster.config('shards', {})).map(({ _id }) => String(_id)).toSorted();
  return shards.map((shard, index) => ({
    name: `part_${index + 1}_of_${shards.length}`,
    shard,
    from: boundary(index / shards.length),
    to: boundary((index + 1) / shards.length),
  }));
}

const boundary = (part: number): string | null =>
  part === 0 || part === 1
    ? null
    : Math.round(part * 2 ** 32)
        .toString(16)
        .padStart(8, '0');

/** A non-partial index that begins with the key. */
function supports({ key, partialFilterExpression, sparse }: Document, wanted: ShardKey): boolean {
  const fields = Object.entries(key as ShardKey).slice(0, Object.keys(wanted).length);
  return partialFilterExpression === undefined && sparse !== true && isDeepStrictEqual(fields, Object.entries(wanted));
}

interface Range {
  readonly min: Document;
  readonly max: Document;
  readonly zone: string;
}

/** None for a hashed key, whose rows spread by themselves. */
function rangesOf(key: ShardKey, zones: readonly Zone[]): Range[] {
  if (isWhole(key) || Object.values(key).includes('hashed')) return [];
  const bound = (first: unknown, others: unknown): Document =>
    Object.fromEntries(Object.keys(key).map((field, index) => [field, index === 0 ? first : others]));
  const [lowest, highest] = [new mongo.MinKey(), new mongo.MaxKey()];
  return zones.map(({ name, from, to }) => ({
    zone: name,
    min: bound(from ?? lowest, lowest),
    max: to === null ? bound(highest, highest) : bound(to, lowest),
  }));
}

const rangeOfTag = ({ min, max, tag }: Document): Range => ({
  min: min as Document,
  max: max as Document,
  zone: String(tag),
});

const isSame = (one: Range, other: Range): boolean =>
  mongo.BSON.EJSON.stringify(one) === mongo.BSON.EJSON.stringify({ min: other.min, max: other.max, zone: other.zone });

/** Ranges may not overlap, so those of another number of shards go first. */
async function moveRanges(cluster: Cluster, namespace: string, wanted: readonly Range[]): Promise<void> {
  const present = (await cluster.config('tags', { ns: namespace })).map(rangeOfTag);
  for (const range of present.filter((one) => !wanted.some((other) => isSame(one, other))))
    await cluster.admin({ updateZoneKeyRange: namespace, ...range, zone: null });
  for (const range of wanted) await cluster.admin({ updateZoneKeyRange: namespace, ...range });
}
