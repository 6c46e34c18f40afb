import type { ExecutionContext } from 'ava';
import { groupBy } from '../../../features/rules/group-by.ts';
import { until } from '../../../test/support/until.ts';
import { brokenEvents, type DeliveryLoad, type Partner } from './delivery-load.ts';
import type { Arrival, DeliveryReceivers } from './delivery-receivers.ts';
import type { System } from './system.ts';

interface DeliveryRow {
  readonly _id: string;
  readonly eventId: string;
  readonly endpointId: string | null;
  readonly state: string;
  readonly attempts: number;
}

interface AttemptRow {
  readonly deliveryId: string;
  readonly attempt: number;
  readonly status: string;
  readonly errorMessage: string | null;
  readonly createdAt: Date;
}

export interface DeliveryEnd {
  readonly deliveries: number;
  /** Events that a receiver took more than once. */
  readonly duplicates: number;
  /** Attempts whose outcome nobody recorded, because the process was gone. */
  readonly interrupted: readonly AttemptRow[];
}

/** Every event reached every target, each attempt is in the log once, and nothing is left to do. */
export async function assertDeliveries(
  t: ExecutionContext,
  { system, receivers, load }: { system: System; receivers: DeliveryReceivers; load: DeliveryLoad },
): Promise<DeliveryEnd> {
  await load.done;
  const wanted = load.partners.reduce((sum, { events, receivers: targets }) => sum + events * targets.length, 0);
  const { deliveries, attempts } = await assertLog(t, system, wanted);
  for (const partner of load.partners) await assertPartner(t, partner, { system, deliveries });
  t.deepEqual(missed(load.partners, { deliveries, arrivals: receivers.arrivals }), [], 'no event was missed');
  const interrupted = attempts.filter(({ errorMessage }) => errorMessage?.startsWith('interrupted') === true);
  const duplicates = receivers.arrivals.filter(({ answered }) => answered === 200).length - (wanted - brokenEvents);
  // On a machine that is too busy we give up waiting for answers that were on their way.
  const unheard = attempts.filter(({ errorMessage }) => errorMessage?.startsWith('did not answer') === true);
  t.true(
    duplicates <= interrupted.length + unheard.length,
    `an event comes twice only when an attempt was interrupted or its answer not heard: ${duplicates} twice, ${interrupted.length} interrupted, ${unheard.length} not heard; all failures: ${failuresOf(attempts)}`,
  );
  return { deliveries: wanted, duplicates, interrupted };
}

/** Waits until so many deliveries are closed: there are no others, and each attempt of each is in the log once. */
export async function assertLog(
  t: ExecutionContext,
  { foundation }: System,
  wanted: number,
): Promise<{ readonly deliveries: readonly DeliveryRow[]; readonly attempts: readonly AttemptRow[] }> {
  const collection = (name: string) => foundation.store.connection.collection(name);
  await until(
    `${wanted} deliveries are closed`,
    async () => (await collection('deliveries').countDocuments({ state: { $ne: 'pending' } })) >= wanted,
    900_000,
  );
  const deliveries = await collection('deliveries').find<DeliveryRow>({}).toArray();
  const attempts = await collection('delivery_attempts').find<AttemptRow>({}).toArray();
  t.is(deliveries.length, wanted);
  t.deepEqual(problemsOfLog(deliveries, attempts), [], 'one log record for each attempt, five at most');
  return { deliveries, attempts };
}

const failuresOf = (attempts: readonly AttemptRow[]): string =>
  JSON.stringify(
    Object.fromEntries(
      [...groupBy(attempts, (of) => of.errorMessage ?? 'none')].map(([why, all]) => [why, all.length]),
    ),
  );

async function assertPartner(
  t: ExecutionContext,
  { name, account, events: count }: Partner,
  { system, deliveries }: { system: System; deliveries: readonly DeliveryRow[] },
): Promise<void> {
  const { connection } = system.foundation.store;
  const feed = await readFeed(system, account);
  const events = await connection
    .collection<EventNumber>('events')
    .find({ accountId: account.id })
    .sort({ number: 1 })
    .toArray();
  t.deepEqual(
    feed,
    events.map(({ _id }) => _id),
    `the feed of ${name} has them all, in order`,
  );
  t.deepEqual(
    events.map(({ number }) => number),
    Array.from({ length: count }, (_, n) => n + 1),
    `the events of ${name} are numbered without a gap`,
  );
  const endpoint = await connection.collection('webhook_endpoints').findOne({ accountId: account.id });
  const own = deliveries.filter(({ endpointId }) => endpointId === String(endpoint?.['_id']));
  const isBroken = name === 'broken';
  t.deepEqual([...new Set(own.map(({ state }) => state))], [isBroken ? 'given_up' : 'succeeded'], name);
  t.like(endpoint, { failCount: isBroken ? count : 0, active: true }, `the endpoint of ${name} counts right`);
}

interface EventNumber {
  readonly _id: string;
  readonly number: number;
}

/** The ids in the account's feed, read to its end. */
async function readFeed({ apiUrl }: System, { headers }: Partner['account']): Promise<string[]> {
  const ids: string[] = [];
  for (let after = ''; ;) {
    const query = after === '' ? '' : `&after=${encodeURIComponent(after)}`;
    const answer = await fetch(`${apiUrl}/integration/events?limit=500${query}`, { headers });
    if (answer.status !== 200) throw new Error(`the feed answered ${answer.status}: ${await answer.text()}`);
    const page = (await answer.json()) as { events: { eventId: string }[]; nextCursor: string };
    if (page.events.length === 0) return ids;
    ids.push(...page.events.map(({ eventId }) => eventId));
    after = page.nextCursor;
  }
}

/** Receivers and events that never met. */
function missed(
  partners: readonly Partner[],
  { deliveries, arrivals }: { deliveries: readonly DeliveryRow[]; arrivals: readonly Arrival[] },
): string[] {
  const met = new Set(arrivals.map(({ receiver, eventId }) => `${receiver} ${eventId}`));
  const seenBy = (receiver: string): number => [...met].filter((key) => key.startsWith(`${receiver} `)).length;
  const tooFew = partners.flatMap(({ receivers, events }) =>
    receivers.filter((receiver) => seenBy(receiver) !== events).map((name) => `${name}: ${seenBy(name)} of ${events}`),
  );
  const events = new Set(arrivals.map(({ eventId }) => eventId));
  return [...tooFew, ...deliveries.filter(({ eventId }) => !events.has(eventId)).map(({ _id }) => _id)];
}

function problemsOfLog(deliveries: readonly DeliveryRow[], attempts: readonly AttemptRow[]): string[] {
  const numbers = new Map<string, number[]>();
  for (const { deliveryId, attempt } of attempts)
    numbers.set(deliveryId, [...(numbers.get(deliveryId) ?? []), attempt]);
  return deliveries
    .filter((delivery) => {
      const logged = (numbers.get(delivery._id) ?? []).toSorted((one, other) => one - other);
      const isComplete = logged.length === delivery.attempts && logged.every((number, index) => number === index + 1);
      return !isComplete || logged.length < 1 || logged.length > 5;
    })
    .map(({ _id, attempts: count }) => `${_id}: ${count} attempts, logged ${String(numbers.get(_id))}`);
}
