import { randomBytes, randomUUID } from 'node:crypto';
import { newWebhookSecret } from '../../../security/webhook-signature.ts';
import { openStore } from '../../../store/database/connection.ts';
import '../../../store/deliveries/deliveries.ts';
import '../../../store/events/events.ts';
import '../../../store/webhooks/webhook-endpoints.ts';
import { ForkedProcess } from '../../support/forked-process.ts';
import { pidOf } from '../../support/pid-of.ts';
import type { Endpoint } from '../../support/queued-delivery.ts';
import type { BenchServers } from '../../support/servers.ts';
import type { ManagedProcess } from '../../../embedded/managed-process.ts';
import type { Contender } from './contender.ts';

interface QueueOptions {
  /** `<kind>-maker` and `<kind>-sender` are its processes. */
  readonly kind: 'bullmq' | 'agenda';
  readonly receiver: ForkedProcess<{ url: string }>;
  /** Where it keeps its jobs, when that is not MongoDB. */
  readonly redis?: { readonly process: ManagedProcess; readonly port: number };
}

/** A sender on a job queue, with log and counter in a database that has the product's collections and indexes. */
export async function startQueueContender(
  servers: BenchServers,
  { kind, receiver, redis }: QueueOptions,
): Promise<Contender> {
  const database = `queue${randomBytes(5).toString('hex')}`;
  const store = await openStore({ uri: servers.mongodbUri, database });
  await store.ensureIndexes();
  const account = randomUUID();
  await store.connection.collection<Endpoint>('webhook_endpoints').insertOne({
    ...{ _id: randomUUID(), accountId: account, url: receiver.ready.url },
    ...{ secret: newWebhookSecret(), active: true, failCount: 0 },
  });
  const settings = {
    NODE_ENV: 'production',
    MONGODB_URI: servers.mongodbUri,
    MONGODB_DATABASE: database,
    BENCH_QUEUE: database,
    BENCH_REDIS_PORT: String(redis?.port ?? 0),
    NODE_EXTRA_CA_CERTS: servers.certificates.bundleFile,
  };
  const sender = await ForkedProcess.start(`${kind}-sender`, settings);
  const maker = await ForkedProcess.start(`${kind}-maker`, settings);
  const logged = store.connection.collection('delivery_attempts');
  const events = store.connection.collection('events');
  return {
    ...{ accounts: [account], maker, receiver },
    pids: {
      mongod: pidOf(servers.mongod),
      ...(redis !== undefined && { redis: pidOf(redis.process) }),
      ...{ worker: sender.pid, starter: maker.pid },
    },
    countOpen: async () => (await events.countDocuments()) - (await logged.countDocuments({ status: 'success' })),
    untilIdle: () => Promise.resolve(),
    close: async () => {
      await Promise.all([maker.stop(), sender.stop()]);
      await store.connection.dropDatabase();
      await store.close();
    },
  };
}
