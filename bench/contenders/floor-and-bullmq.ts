import { randomBytes } from 'node:crypto';
import { until } from '../../test/support/until.ts';
import { ForkedProcess } from '../support/forked-process.ts';
import { pidOf, type BenchServers } from '../support/servers.ts';
import { disposeAll, type Contender } from './contender.ts';
import { missing, startRedis } from './outside-servers.ts';

interface Options {
  readonly url: string;
  /** What the product stores for an event. */
  readonly rowsFile: string;
}

/** One process that stores the product's rows and sends in between. */
export async function startFloor(servers: BenchServers, options: Options): Promise<Contender> {
  const { settings, ...database } = newDatabase(servers, options);
  const maker = await ForkedProcess.start('floor-maker', settings);
  return {
    accounts: ['nobody'],
    maker,
    pids: { mongod: pidOf(servers.mongod), maker: maker.pid },
    burst: { together: 100, atOnce: 2 },
    // It has stored the outcome of what was offered when it answers.
    untilRecorded: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => disposeAll(maker, database),
  };
}

export const bullmqMissing = (): string | null =>
  missing(['redis']).length === 0 ? null : 'beside BullMQ: there is no redis-server here';

/** A sender on BullMQ, with events and log in MongoDB. */
export async function startBullmq(servers: BenchServers, options: Options): Promise<Contender> {
  const redis = await startRedis(servers.folder);
  const { settings, ...database } = newDatabase(servers, options);
  const environment = { ...settings, BENCH_QUEUE: settings.MONGODB_DATABASE, BENCH_REDIS_PORT: String(redis.port) };
  const sender = await ForkedProcess.start('bullmq-sender', environment);
  const maker = await ForkedProcess.start('bullmq-maker', environment);
  const pids = { mongod: pidOf(servers.mongod), redis: pidOf(redis.process), sender: sender.pid, maker: maker.pid };
  return {
    accounts: ['nobody'],
    maker,
    pids,
    untilRecorded: async () => {
      await until('every attempt is logged', async () => (await sender.ask<number>('open')) === 0);
    },
    [Symbol.asyncDispose]: () => disposeAll(maker, sender, redis, database),
  };
}

function newDatabase({ mongodbUri, mongo, certificates }: BenchServers, { url, rowsFile }: Options) {
  const database = `beside${randomBytes(5).toString('hex')}`;
  const settings = {
    NODE_ENV: 'production',
    MONGODB_URI: mongodbUri,
    MONGODB_DATABASE: database,
    NODE_EXTRA_CA_CERTS: certificates.bundleFile,
    BENCH_RECEIVER_URL: url,
    BENCH_ROWS_FILE: rowsFile,
  };
  return { settings, [Symbol.asyncDispose]: async () => void (await mongo.db(database).dropDatabase()) };
}
