import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import { createdItem } from '../../../bench/support/catalogue.ts';
import { composeContext } from '../../../compose/context.ts';
import type { AccountId } from '../../../features/rules/ids.ts';
import { isDuplicateKey } from '../../../platform/database/connection.ts';
import type { DueEvent } from '../../../features/webhooks/store/events.ts';
import { setUpAccount, type ApiAccount } from '../../../test/support/set-up-account.ts';
import { storeEvents } from '../../../test/support/stored-events.ts';
import type { DeliveryReceivers } from './delivery-receivers.ts';
import type { System } from './system.ts';
import { setWebhookUrl } from '../../../features/webhooks/webhook-settings.ts';

/** Name and first part of the path of the receiver, and how many of the events are its account's. */
export interface Partner {
  readonly name: string;
  readonly account: ApiAccount;
  readonly events: number;
  /** Receivers that each of the events has to reach. */
  readonly receivers: readonly string[];
}

export interface DeliveryLoad {
  readonly partners: readonly Partner[];
  /** PUTs answered with 202. */
  accepted: number;
  /** Tries that got no answer, or were told to come back. */
  broken: number;
  /** Events stored without a PUT. */
  recorded: number;
  done: Promise<unknown>;
}

/** Fewer than the fifteen that would disable the endpoint: its count has to come out exact. */
export const brokenEvents = 10;

/** Of `events` so many are for each partner; those of `steady-a` go to its account-level URL as well. */
export async function preparePartners(
  system: System,
  receivers: DeliveryReceivers,
  events: number,
): Promise<readonly Partner[]> {
  const shares = { 'steady-a': 0.3, 'steady-b': 0.3, flaky: 0.2, slow: 0.2 };
  const partners = await Promise.all(
    Object.entries(shares).map(([name, share]) => aPartner(system, receivers, { name, events: events * share })),
  );
  const [first, ...others] = partners;
  if (first === undefined) return [];
  const { context } = composeContext(system.foundation);
  const id = first.account.id;
  const scope = { accountId: id, actingAccountId: id, credential: { kind: 'system' } } as const;
  await setWebhookUrl(context, scope, `${receivers.url}/steady-account-url`);
  return [
    { ...first, receivers: ['steady-a', 'steady-account-url'] },
    ...others,
    await aPartner(system, receivers, { name: 'broken', events: brokenEvents }),
  ];
}

async function aPartner(
  { foundation }: System,
  { url }: DeliveryReceivers,
  { name, events }: { name: string; events: number },
): Promise<Partner> {
  const account = await setUpAccount(foundation, { webhookUrl: `${url}/${name}` });
  return { name, account, events, receivers: [name] };
}

/** Half of the events come from PUTs through the API, half are recorded by the test with the product's own functions. */
export function startDeliveryLoad(system: System, partners: readonly Partner[]): DeliveryLoad {
  const load: DeliveryLoad = { partners, accepted: 0, broken: 0, recorded: 0, done: Promise.resolve() };
  const puts = pLimit(8);
  const accounts = turns(partners.map(({ account, events }) => ({ value: account, count: Math.ceil(events / 2) })));
  const batches = turns(
    partners.map(({ account, events }) => ({ value: account.id, count: Math.floor(events / 2 / batchSize) })),
  );
  load.done = Promise.all([
    ...accounts.map((account) => puts(() => putOne(system, load, account))),
    recordAll(system, load, batches),
  ]);
  // Awaited later; until then a failure must not end the process.
  load.done.catch(() => undefined);
  return load;
}

const batchSize = 5;

/** One of each in turn until all are used up, so that every receiver has something to do from beginning to end. */
function turns<Value>(wishes: readonly { value: Value; count: number }[]): Value[] {
  const placed = wishes.flatMap(({ value, count }) =>
    Array.from({ length: count }, (_, n) => ({ value, place: (n + 0.5) / count })),
  );
  return placed.toSorted((one, other) => one.place - other.place).map(({ value }) => value);
}

/** As an ERP does: what wasn't answered is pushed again. */
async function putOne({ apiUrl }: System, load: DeliveryLoad, { headers }: ApiAccount): Promise<void> {
  const externalId = `put-${randomUUID()}`;
  const body = JSON.stringify({ title: 'En sak', price: 100, imageUrls: [], domain: { domain: 'toys' } });
  for (;;) {
    const status = await fetch(`${apiUrl}/integration/v1/items/${externalId}`, { method: 'PUT', headers, body }).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      () => null,
    );
    if (status === 202) break;
    if (status !== null && status !== 503) throw new Error(`a PUT was answered with ${status}`);
    load.broken += 1;
    await pause(50);
  }
  load.accepted += 1;
}

async function recordAll(system: System, load: DeliveryLoad, batches: readonly AccountId[]): Promise<void> {
  const limit = pLimit(2);
  await Promise.all(batches.map((account) => limit(() => recordBatch(system, load, account))));
}

/** Events and deliveries in one transaction, as of a worker that dies after it: nothing is reserved, and nothing rings. */
async function recordBatch({ foundation }: System, load: DeliveryLoad, account: AccountId): Promise<void> {
  const events = Array.from({ length: batchSize }, () => aDueEvent(account));
  for (;;) {
    try {
      await storeEvents(foundation.store, events);
      break;
    } catch (error) {
      // The transaction before was committed, and its answer was lost.
      if (isDuplicateKey(error)) break;
      // The database is away.
      await pause(100);
    }
  }
  load.recorded += events.length;
}

function aDueEvent(account: AccountId): DueEvent {
  const item = createdItem(account, `event-${randomUUID()}`);
  const [entry] = item.outbox;
  if (entry === undefined) throw new Error('a new item has no event');
  return { entry, accountId: account, itemId: item.id, externalId: item.externalId };
}
