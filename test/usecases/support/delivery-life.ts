import { randomUUID } from 'node:crypto';
import { accountId, itemId, type AccountId, type DeliveryId } from '../../../core/ids.ts';
import type { Scope } from '../../../core/scope.ts';
import type { Orchestrator, StartedDelivery } from '../../../gateways/orchestrator/port.ts';
import type { AttemptOutcome, WebhookSender } from '../../../gateways/webhook-sender/port.ts';
import { createEncryption } from '../../../security/encryption.ts';
import type { StoreConnection } from '../../../store/database/connection.ts';
import type { Delivery } from '../../../store/deliveries/deliveries.ts';
import { recordEvents } from '../../../store/events/event-log.ts';
import type { EventRow } from '../../../store/events/events.ts';
import { createItemStore } from '../../../store/items/items.ts';
import { createJournalStore } from '../../../store/items/journal.ts';
import { createOrderStore } from '../../../store/orders/orders.ts';
import { attemptDelivery } from '../../../usecases/deliveries/attempt-delivery.ts';
import type { DeliveryStep } from '../../../usecases/deliveries/delivery-dependencies.ts';
import { bindDeliveries, type BoundDeliveries } from '../../../usecases/deliveries/bind-deliveries.ts';
import { firstAttemptDependencies } from '../../../usecases/deliveries/bind-first-attempts.ts';
import { FirstAttempts, type FirstAttemptDependencies } from '../../../usecases/deliveries/first-attempts.ts';
import { startOf, sweepDeliveries } from '../../../usecases/deliveries/start-delivery.ts';
import { planDeliveries } from '../../../usecases/events/plan-deliveries.ts';
import { storeOutbox } from '../../../usecases/events/store-outbox.ts';
import { advanceItem } from '../../../usecases/items/advance-item.ts';
import { createItemWrites } from '../../support/item-writes.ts';
import { createWebhook } from '../../../usecases/webhooks/register-webhook.ts';
import { anItemRequest } from '../../support/an-item-request.ts';
import { createLogger } from '../../../platform/logger.ts';

type Deliveries = ReturnType<typeof bindDeliveries>;

/** Where a process differs from a sound one: each wraps the real part. */
export interface Deviations {
  readonly deliveries?: (sound: Deliveries) => Partial<Deliveries>;
  readonly items?: (sound: ReturnType<typeof createItemStore>) => Partial<ReturnType<typeof createItemStore>>;
  readonly record?: (sound: typeof recordEvents) => typeof recordEvents;
  readonly plan?: (sound: typeof planDeliveries) => typeof planDeliveries;
  readonly start?: Orchestrator['startDelivery'];
  /** Its first attempts are made by the lane. */
  readonly lane?: true | ((sound: FirstAttemptDependencies) => Partial<FirstAttemptDependencies>);
}

/** The use cases of one process, on the life's database and clock. */
export interface DeliveryProcess {
  push(externalId: string): Promise<unknown>;
  remove(externalId: string): Promise<unknown>;
  /** What the item's workflow does in its short steps. */
  advance(externalId: string): Promise<void>;
  sweep(): Promise<number>;
  attempt(id?: DeliveryId): Promise<DeliveryStep>;
  /** Stops taking anything, and waits for what its lane has begun. */
  close(): Promise<void>;
}

/** One account with one endpoint, at a time that stands still unless it is moved. */
export interface DeliveryLife {
  readonly store: StoreConnection;
  readonly account: AccountId;
  /** Deliveries that were started, and requests that arrived, by whichever process. */
  readonly started: StartedDelivery[];
  readonly arrived: string[];
  process(deviations?: Deviations): DeliveryProcess;
  /** What the receiver answers from now on. */
  answers(outcome: AttemptOutcome): void;
  pass(ms: number): void;
  events(): Promise<EventRow[]>;
  deliveries(): Promise<DeliveryState[]>;
  /** `number status error` of each record of the log, by number. */
  log(): Promise<string[]>;
  failCount(): Promise<unknown>;
  /** Takes its deliveries away, so that the sweeps of the next life don't find them. */
  close(): Promise<void>;
}

export interface DeliveryState {
  readonly _id: DeliveryId;
  readonly state: string;
  readonly attempts: number;
  readonly nextAttemptAt: Date | null;
}

export const ok: AttemptOutcome = { kind: 'succeeded', httpStatus: 200, durationMs: 3, responseStart: '' };
export const refusal: Extract<AttemptOutcome, { kind: 'failed' }> = {
  kind: 'failed',
  gone: false,
  httpStatus: 500,
  error: 'HTTP 500',
  durationMs: 3,
  responseStart: '',
};

const encryption = createEncryption([{ id: 'test', secret: Buffer.alloc(32, 7).toString('base64') }]);

export async function startDeliveryLife(store: StoreConnection): Promise<DeliveryLife> {
  const account = accountId(randomUUID());
  const scope: Scope = { accountId: account, actingAccountId: account, credential: { kind: 'system' } };
  const clock = { ms: Date.parse('2026-11-21T12:00:00Z') };
  const now = (): Date => new Date(clock.ms);
  const receiver = { outcome: ok };
  const [started, arrived]: [StartedDelivery[], string[]] = [[], []];
  await createWebhook(
    {
      ...{ store, encryption, addressPolicy: { allowPrivateNetworks: false }, now, newId: randomUUID },
      confirmCredential: () => Promise.resolve(),
    },
    scope,
    { url: 'https://erp.example/hooks', eventTypes: [] },
  );
  const sender: WebhookSender = {
    send: (attempt) => {
      arrived.push((JSON.parse(attempt.body.toString('utf8')) as { eventId: string }).eventId);
      return Promise.resolve(receiver.outcome);
    },
  };
  const rows = <Row extends object>(name: string, sort: Record<string, 1>): Promise<Row[]> =>
    store.connection.collection(name).find<Row>({ accountId: account }).sort(sort).toArray();
  const start = (delivery: StartedDelivery): Promise<void> => {
    started.push(delivery);
    return Promise.resolve();
  };
  return {
    store,
    account,
    started,
    arrived,
    process: (deviations = {}) => startProcess({ store, scope, sender, now, start }, deviations),
    answers: (outcome) => {
      receiver.outcome = outcome;
    },
    pass: (ms) => {
      clock.ms += ms;
    },
    events: () => rows<EventRow>('events', { number: 1 }),
    deliveries: () => rows<DeliveryState>('deliveries', { createdAt: 1, _id: 1 }),
    log: async () =>
      (
        await rows<{ attempt: number; status: string; errorMessage: string | null }>('delivery_attempts', {
          attempt: 1,
        })
      ).map(({ attempt, status, errorMessage }) => `${attempt} ${status} ${errorMessage ?? ''}`.trim()),
    failCount: async () =>
      (await store.connection.collection('webhook_endpoints').findOne({ accountId: account }))?.['failCount'],
    close: async () => {
      await store.connection.collection('deliveries').deleteMany({ accountId: account });
    },
  };
}

interface Surroundings {
  readonly store: StoreConnection;
  readonly scope: Scope;
  readonly sender: WebhookSender;
  readonly now: () => Date;
  readonly start: Orchestrator['startDelivery'];
}

function startProcess(surroundings: Surroundings, deviations: Deviations): DeliveryProcess {
  const { store, scope, sender, now } = surroundings;
  const start = deviations.start ?? surroundings.start;
  const soundItems = createItemStore(store);
  const items = { ...soundItems, ...deviations.items?.(soundItems) };
  const soundDeliveries = bindDeliveries({ store, encryption, sender, logger: createLogger('test', 'fatal'), now });
  const deliveries = { ...soundDeliveries, ...deviations.deliveries?.(soundDeliveries) };
  const writes = createItemWrites({
    items: soundItems,
    confirmCredential: () => Promise.resolve(),
    hints: { nudgeItem: () => undefined },
    newItemId: () => itemId(randomUUID()),
    now,
  });
  const lane = deviations.lane === undefined ? noLane : aLane({ store, bound: deliveries, start }, deviations.lane);
  const record = deviations.record?.(recordEvents) ?? recordEvents;
  const plan = deviations.plan?.(planDeliveries) ?? planDeliveries;
  const outbox = {
    recordEvents: async (...[account, events]: Parameters<Parameters<typeof storeOutbox>[0]['recordEvents']>) => {
      const at = now();
      const made = await record(store, account, { events, planDeliveries: (...due) => plan(...due, at), now: at });
      for (const delivery of made) {
        if (lane.offer(delivery) === 'no') await start(startOf(delivery));
      }
    },
    journal: createJournalStore(store),
    orders: createOrderStore(store),
    now,
  };
  const newest = async (externalId: string) => {
    const filter = { accountId: scope.accountId, externalId };
    const row = await store.connection.collection('items').find(filter).sort({ createdAt: -1 }).limit(1).next();
    return itemId(String(row?.['_id']));
  };
  const onlyDelivery = async (): Promise<DeliveryId> => {
    const row = await store.connection.collection('deliveries').findOne({ accountId: scope.accountId });
    return String(row?.['_id']) as DeliveryId;
  };
  return {
    push: (externalId) => writes.upsert(scope, { externalId, request: anItemRequest() }),
    remove: (externalId) => writes.remove(scope, { externalId }),
    advance: async (externalId) => {
      const dependencies = {
        items,
        storeOutbox: (item: Parameters<typeof storeOutbox>[1]) => storeOutbox(outbox, item),
        now,
      };
      await advanceItem(dependencies, await newest(externalId));
    },
    sweep: () =>
      sweepDeliveries({ deliveries: deliveries.deliveries, orchestrator: { startDelivery: start }, lane, now }),
    close: () => lane.close(),
    attempt: async (id) => attemptDelivery(deliveries, id ?? (await onlyDelivery())),
  };
}

/** Takes nothing: all attempts are the workflow's. */
const noLane = { offer: () => 'no' as const, isFull: false, close: () => Promise.resolve() };

function aLane(
  { store, bound, start }: { store: StoreConnection; bound: BoundDeliveries; start: Orchestrator['startDelivery'] },
  deviation: NonNullable<Deviations['lane']>,
): FirstAttempts {
  const handOver = (delivery: Delivery): void => {
    start(startOf(delivery)).catch(() => undefined);
  };
  const sound = firstAttemptDependencies(store, bound, { handOver, logger: createLogger('test', 'fatal') });
  return new FirstAttempts({ ...sound, ...(deviation === true ? {} : deviation(sound)) });
}

/** A step at which the process is killed: it never goes on from there. */
export interface Stop {
  /** Resolves when the process has come to it. */
  readonly reached: Promise<void>;
  /** Call it instead of the step, or after it. */
  readonly here: () => Promise<never>;
}

export function aStop(): Stop {
  const { promise: reached, resolve } = promiseOf();
  return {
    reached,
    here: () => {
      resolve();
      return new Promise<never>(() => undefined);
    },
  };
}

function promiseOf(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
