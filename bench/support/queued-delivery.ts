import { randomUUID } from 'node:crypto';
import { MongoClient, type Collection } from 'mongodb';
import { attemptBounds } from '../../core/webhooks/attempt-bounds.ts';
import { buildEnvelope } from '../../core/webhooks/envelope.ts';
import { attemptsMax, attemptTimeoutMs, disableAfterFailures } from '../../core/webhooks/retry-schedule.ts';
import { createHttpsWebhookSender } from '../../gateways/webhook-sender/https-webhook-sender.ts';
import { createGuardedAgent } from '../../platform/guarded-agent.ts';
import { webhookSignatureHeaders } from '../../security/webhook-signature.ts';
import { accountId } from '../../core/ids.ts';
import { setting } from '../processes/serve-parent.ts';
import { createdItem } from './catalogue.ts';

// What a sender on a job queue has in MongoDB, in collections with the product's names and indexes, and what it does for one job: the
// same for BullMQ and Agenda. It is what such a sender needs at least, and less than the product does: event and job are not one
// transaction, nor are log and counter; nothing tells apart who is slow; a secret is stored as it is.

/** The job. */
export interface QueuedDelivery {
  readonly eventId: string;
  readonly eventType: string;
  readonly accountId: string;
  readonly endpointId: string;
  readonly externalId: string;
  /** Signed and sent by every attempt. */
  readonly body: string;
}

export interface Endpoint {
  readonly _id: string;
  readonly accountId: string;
  readonly url: string;
  readonly secret: string;
  readonly active: boolean;
  readonly failCount: number;
}

interface StoredEvent {
  readonly _id: string;
  readonly [field: string]: unknown;
}

interface Tables {
  readonly events: Collection<StoredEvent>;
  readonly attempts: Collection<StoredEvent>;
  readonly endpoints: Collection<Endpoint>;
}

async function openTables(): Promise<Tables> {
  const client = await MongoClient.connect(setting('MONGODB_URI'), {
    writeConcern: { w: 'majority', journal: true },
  });
  const database = client.db(setting('MONGODB_DATABASE'));
  return {
    events: database.collection('events'),
    attempts: database.collection('delivery_attempts'),
    endpoints: database.collection('webhook_endpoints'),
  };
}

/** Stores new events of an account, and gives the jobs of its endpoint. */
export async function openEventStore(): Promise<
  (account: string, count: number, begin: (eventId: string) => void) => Promise<QueuedDelivery[]>
> {
  const { events, endpoints } = await openTables();
  let made = 0;
  return async (account, count, begin) => {
    const endpoint = await endpoints.findOne({ accountId: account });
    if (endpoint === null) throw new Error('the account has no endpoint');
    const fresh = Array.from({ length: count }, () => {
      made += 1;
      const { outbox, ...item } = createdItem(accountId(account), `delivery-${made}`);
      const [entry] = outbox;
      if (entry === undefined) throw new Error('a new item has no event');
      return { entry, item, number: made };
    });
    for (const { entry } of fresh) begin(entry.eventId);
    await events.insertMany(
      fresh.map(({ entry: { eventId, ...entry }, item, number }) => {
        const owner = { accountId: account, itemId: item.id, externalId: item.externalId };
        return { ...entry, _id: eventId, ...owner, number, storedAt: new Date() };
      }),
    );
    return fresh.map(({ entry, item }) => ({
      ...{ eventId: entry.eventId, eventType: entry.type, externalId: item.externalId },
      ...{ accountId: account, endpointId: endpoint._id },
      body: JSON.stringify(buildEnvelope(entry, { accountId: accountId(account) })),
    }));
  };
}

/** Makes one attempt of a job, with the product's own HTTP client. Throws when it failed, so that the queue tries it again. */
export async function openAttempts(): Promise<(delivery: QueuedDelivery, attempt: number) => Promise<void>> {
  const { attempts, endpoints } = await openTables();
  const agent = createGuardedAgent({
    allowPrivateNetworks: true,
    connectionsPerOriginMax: attemptBounds.inFlightMax,
  });
  const sender = createHttpsWebhookSender({ agent, timeoutMs: attemptTimeoutMs });
  return async (delivery, attempt) => {
    const endpoint = await endpoints.findOne({ _id: delivery.endpointId });
    if (endpoint === null || !endpoint.active) return;
    const body = Buffer.from(delivery.body, 'utf8');
    const signed = { secret: endpoint.secret, id: delivery.eventId, sentAt: new Date(), body };
    const outcome = await sender.send({ url: endpoint.url, body, headers: webhookSignatureHeaders(signed) });
    const { httpStatus, durationMs, responseStart } = outcome;
    const succeeded = outcome.kind === 'succeeded';
    const { body: _body, ...about } = delivery;
    await Promise.all([
      attempts.insertOne({
        ...{ _id: randomUUID(), ...about, deliveryId: delivery.eventId, attempt, createdAt: new Date() },
        ...{ status: succeeded ? 'success' : 'failed', errorMessage: succeeded ? null : outcome.error },
        ...{ httpStatus, durationMs, responseStart },
      }),
      countFailures(endpoints, endpoint, { succeeded, isLast: attempt >= attemptsMax }),
    ]);
    if (!succeeded) throw new Error(outcome.error);
  };
}

async function countFailures(
  endpoints: Collection<Endpoint>,
  { _id, failCount }: Endpoint,
  { succeeded, isLast }: { succeeded: boolean; isLast: boolean },
): Promise<void> {
  if (succeeded && failCount > 0) await endpoints.updateOne({ _id }, { $set: { failCount: 0 } });
  if (succeeded || !isLast) return;
  await endpoints.updateOne({ _id }, { $inc: { failCount: 1 } });
  await endpoints.updateOne({ _id, failCount: { $gte: disableAfterFailures } }, { $set: { active: false } });
}
