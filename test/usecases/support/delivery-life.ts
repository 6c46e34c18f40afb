import { randomUUID } from 'node:crypto';
import { accountId, itemId, type AccountId, type DeliveryId } from '../../../core/ids.ts';
import type { Scope } from '../../../core/scope.ts';
import { DeliveryQueues } from '../../../dispatch/delivery-queues.ts';
import { Dispatcher } from '../../../dispatch/dispatcher.ts';
import { createMailTurns } from '../../../dispatch/send-mails.ts';
import { WorkflowStarts } from '../../../dispatch/start-workflows.ts';
import type { Orchestrator, StartedDelivery } from '../../../gateways/orchestrator/port.ts';
import type { AttemptOutcome, WebhookSender } from '../../../gateways/webhook-sender/port.ts';
import { createLogger } from '../../../platform/logger.ts';
import { createEncryption, type Encryption } from '../../../security/encryption.ts';
import type { StoreConnection } from '../../../store/database/connection.ts';
import { inTransaction } from '../../../store/database/transaction.ts';
import { endLeasesOf } from '../../../store/deliveries/claim-deliveries.ts';
import { insertDeliveries, type Delivery } from '../../../store/deliveries/deliveries.ts';
import { listDueQueues } from '../../../store/dispatch/due-rows.ts';
import { insertEvents, type EventRow } from '../../../store/events/events.ts';
import { createAcceptor } from '../../../store/items/accept-writes.ts';
import { createItemStore } from '../../../store/items/items.ts';
import { findTargets } from '../../../store/webhooks/webhook-targets.ts';
import { attemptDelivery } from '../../../usecases/deliveries/attempt-delivery.ts';
import type { DeliveryContext, DeliveryStep } from '../../../usecases/deliveries/prepare-attempt.ts';
import { ReceiverSlots } from '../../../usecases/deliveries/receiver-slots.ts';
import { createWebhook } from '../../../usecases/webhooks/register-webhook.ts';
import { setWebhookUrl } from '../../../usecases/webhooks/webhook-settings.ts';
import { anItemRequest } from '../../support/an-item-request.ts';
import { aroundStore, type Around } from '../../support/around-store.ts';
import { createItemWrites } from '../../support/item-writes.ts';
import { aDueEvent } from '../../support/stored-events.ts';
import { until } from '../../support/until.ts';

/** Where a process differs from a sound one. */
export interface Difference {
  /** Runs at each of its steps: writes to the database, `send` and `start`. */
  readonly around?: Around;
  /** false: its deliveries are another process's, so it reserves none. */
  readonly owns?: boolean;
  readonly encryption?: Encryption;
  readonly slots?: ReceiverSlots;
}

/** The dispatcher and the activities of one process, on the life's database and clock. */
export interface DeliveryProcess {
  readonly workerId: string;
  /** Stores one event for each name in one transaction, with its deliveries, and sends what it has reserved. */
  happen(...names: string[]): Promise<void>;
  push(externalId: string): Promise<unknown>;
  remove(externalId: string): Promise<unknown>;
  /** Looks once for what is due. */
  look(): Promise<boolean>;
  /** The same, until nothing is due and what this process has begun is recorded. */
  work(): Promise<void>;
  /** What the workflow's activity does; of the only delivery, unless the test names one. */
  attempt(id?: DeliveryId): Promise<DeliveryStep>;
  close(): Promise<void>;
}

/** One account with one target, at a time that stands still unless it is moved. */
export interface DeliveryLife {
  readonly store: StoreConnection;
  readonly account: AccountId;
  readonly now: () => Date;
  /** Starts of workflows for deliveries, and the names of events that arrived, by whichever process. */
  readonly started: StartedDelivery[];
  readonly arrived: string[];
  /** What the receiver answers to an event of this name. */
  answer: (name: string) => AttemptOutcome | Promise<AttemptOutcome>;
  process(difference?: Difference): DeliveryProcess;
  /** As the others do when a process is seen no more. */
  endLeasesOf(process: DeliveryProcess): Promise<number>;
  pass(ms: number): void;
  events(): Promise<EventRow[]>;
  /** In the order of their events. */
  deliveries(filter?: object): Promise<Delivery[]>;
  /** `number status error` of each record of the log, by number. */
  log(): Promise<string[]>;
  /** The endpoint, or the settings of the URL. */
  target(): Promise<Record<string, unknown> | null>;
  failCount(): Promise<unknown>;
  changeTarget(fields: object): Promise<void>;
  /** Takes what it has away, so that the looks of the next life don't find it. */
  close(): Promise<void>;
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
export const interrupted = 'failed interrupted: the sending process stopped before the answer was recorded';

const encryption = createEncryption([{ id: 'test', secret: Buffer.alloc(32, 7).toString('base64') }]);
const logger = createLogger('test', 'fatal');
const confirmCredential = (): Promise<void> => Promise.resolve();

export async function startDeliveryLife(
  store: StoreConnection,
  { kind = 'endpoint' }: { readonly kind?: 'endpoint' | 'url' } = {},
): Promise<DeliveryLife> {
  const account = accountId(randomUUID());
  const scope: Scope = { accountId: account, actingAccountId: account, credential: { kind: 'system' } };
  const clock = { ms: store.clock.now().getTime() };
  const now = (): Date => new Date(clock.ms);
  const addressPolicy = { allowPrivateNetworks: false };
  const context = { ...{ store, encryption, addressPolicy, now, newId: randomUUID }, confirmCredential };
  const url = `https://${account}.example/hooks`;
  if (kind === 'endpoint') await createWebhook(context, scope, { url, eventTypes: [] });
  else await setWebhookUrl(context, scope, url);
  const targets = store.connection.collection<{ _id: string }>(
    kind === 'endpoint' ? 'webhook_endpoints' : 'webhook_settings',
  );
  const ofTarget = kind === 'endpoint' ? { accountId: account } : { _id: account };
  const rows = <Row extends object>(name: string, sort: Record<string, 1>, filter: object = {}): Promise<Row[]> =>
    store.connection
      .collection(name)
      .find<Row>({ accountId: account, ...filter })
      .sort(sort)
      .toArray();
  const life: DeliveryLife = {
    ...{ store, account, now, started: [], arrived: [] },
    answer: () => ok,
    process: (difference = {}) => startProcess(life, scope, difference),
    endLeasesOf: ({ workerId }) => endLeasesOf(store, [workerId]),
    pass: (ms) => {
      clock.ms += ms;
    },
    events: () => rows('events', { storedAt: 1, sequence: 1, _id: 1 }),
    deliveries: (filter) => rows('deliveries', { eventAt: 1, sequence: 1, _id: 1 }, filter),
    log: async () =>
      (
        await rows<{ attempt: number; status: string; errorMessage: string | null }>('delivery_attempts', {
          attempt: 1,
        })
      ).map(({ attempt, status, errorMessage }) => `${attempt} ${status} ${errorMessage ?? ''}`.trim()),
    target: () => targets.findOne(ofTarget),
    failCount: async () => (await life.target())?.['failCount'] ?? 0,
    changeTarget: async (fields) => {
      await targets.updateOne(ofTarget, { $set: fields });
    },
    close: async () => {
      for (const name of ['deliveries', 'items', 'receivers_in_trouble'])
        await store.connection.collection(name).deleteMany({ accountId: account });
    },
  };
  return life;
}

const straight: Around = (_step, take) => take();

function startProcess(life: DeliveryLife, scope: Scope, difference: Difference): DeliveryProcess {
  const { account, now } = life;
  const { around = straight, owns = true } = difference;
  const store = aroundStore(life.store, around);
  const workerId = randomUUID();
  const sender: WebhookSender = {
    send: ({ body }) =>
      around('send', async () => {
        const { data } = JSON.parse(body.toString('utf8')) as { data: { externalId: string } };
        life.arrived.push(data.externalId);
        return life.answer(data.externalId);
      }),
  };
  const orchestrator: Orchestrator = {
    ...{ signalItem: nothing, signalReceiver: nothing, startRecovery: nothing, startBulkSync: nothing },
    startDelivery: (delivery) =>
      around('start', async () => {
        life.started.push(delivery);
      }),
  };
  const starts = new WorkflowStarts({ store, orchestrator, logger, now });
  const context: DeliveryContext = {
    ...{ store, encryption: difference.encryption ?? encryption, sender, workerId, logger, now },
    slots: difference.slots ?? new ReceiverSlots(() => now().getTime()),
    ring: (queue) => dispatcher.take(queue),
  };
  const deliveries = new DeliveryQueues({ ...context, owns: () => owns, starts });
  const items = createItemStore(
    store,
    createAcceptor({ store, plan: () => deliveries.plan(), start: () => undefined }),
  );
  const dispatcher: Dispatcher = new Dispatcher({
    ...{ store, deliveries, starts, logger, now, ownership: { owns: (of) => of === account } },
    mails: createMailTurns({ store, logger, now, send: async () => undefined }),
  });
  const newItemId = () => itemId(randomUUID());
  const writes = createItemWrites({ items, confirmCredential, newItemId, now });
  return {
    workerId,
    happen: async (...names) => {
      const plan = deliveries.plan();
      const made = await inTransaction(store, async (session) => {
        const targetsOf = await findTargets(store, [account], session);
        const events = names.map((name, ms) => ({
          ...aDueEvent(account, name),
          notBefore: new Date(now().getTime() + ms),
        }));
        const numbered = await insertEvents(store, events, { now: now(), session });
        const planned = numbered.flatMap((event) => plan.planDeliveries(event, targetsOf(account), now()));
        await insertDeliveries(store, planned, session);
        return planned;
      });
      plan.onStored(made);
      plan.drop();
    },
    push: (externalId) => writes.upsert(scope, { externalId, request: anItemRequest() }),
    remove: (externalId) => writes.remove(scope, { externalId }),
    look: () => dispatcher.look(),
    work: async () => {
      const inFlight = { claim: workerId, inFlightSince: { $ne: null } };
      await until('nothing is left to do', async () => {
        await dispatcher.look();
        const due = (await listDueQueues(store, now())).filter(({ accountId: of }) => of === account);
        return due.length === 0 && (await life.deliveries(inFlight)).length === 0;
      });
    },
    attempt: async (id) => attemptDelivery(context, id ?? (await onlyDelivery(life))),
    close: () => dispatcher.close(),
  };
}

const nothing = (): Promise<void> => Promise.resolve();

async function onlyDelivery(life: DeliveryLife): Promise<DeliveryId> {
  const [delivery, ...others] = await life.deliveries();
  if (delivery === undefined || others.length > 0) throw new Error('there is not one delivery');
  return delivery._id;
}
