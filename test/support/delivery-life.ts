import { randomUUID } from 'node:crypto';
import { accountId, itemId, type AccountId, type DeliveryId } from '../../features/rules/ids.ts';
import type { Scope } from '../../features/rules/scope.ts';
import { targetKeyOf } from '../../features/webhooks/rules/delivery.ts';
import { attemptsMax } from '../../features/webhooks/rules/retry-schedule.ts';
import { Relay } from '../../features/relay/relay.ts';
import { WorkflowStarts } from '../../features/relay/start-workflows.ts';
import type { Orchestrator, StartedDelivery } from '../../gateways/orchestrator/port.ts';
import type { AttemptOutcome, WebhookSender } from '../../gateways/webhook-sender/port.ts';
import { createLogger } from '../../platform/logger.ts';
import { createEncryption, type Encryption } from '../../platform/security/encryption.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { insertDeliveries, type Delivery } from '../../features/webhooks/store/deliveries.ts';
import { waitingDeliveries } from '../../features/webhooks/store/make-deliveries.ts';
import { insertEvents, type EventRow } from '../../features/webhooks/store/events.ts';
import { createAcceptor } from '../../features/items/store/accept-writes.ts';
import { createItemStore } from '../../features/items/store/items.ts';
import { findTargets } from '../../features/webhooks/store/webhook-targets.ts';
import { attemptDelivery, countFailure, type AttemptAnswer } from '../../features/webhooks/attempt-delivery.ts';
import type { DeliveryContext } from '../../features/webhooks/prepare-attempt.ts';
import { ReceiverSlots } from '../../features/webhooks/receiver-slots.ts';
import { Outcomes } from '../../features/webhooks/record-outcome.ts';
import { StoredDeliveries, type FirstAttempt } from '../../features/webhooks/send-stored.ts';
import { workReceiver, type ReceiverStep } from '../../features/webhooks/work-receiver.ts';
import { createWebhook } from '../../features/webhooks/register-webhook.ts';
import { setWebhookUrl } from '../../features/webhooks/webhook-settings.ts';
import { anItemRequest } from './an-item-request.ts';
import { aroundStore, type Around } from './around-store.ts';
import { createItemWrites } from './item-writes.ts';
import { aDueEvent } from './stored-events.ts';

/** Where a process differs from a sound one. */
export interface Difference {
  /** Runs at each of its steps: writes to the database, `send` and `start`. */
  readonly around?: Around;
  /** It is a command: what it stores waits. */
  readonly isCommand?: true;
  readonly encryption?: Encryption;
  readonly slots?: ReceiverSlots;
}

/** One process, on the life's database and clock. */
export interface DeliveryProcess {
  /** Stores one event for each name in one transaction, with its deliveries, and begins what it may send. */
  happen(...names: string[]): Promise<void>;
  push(externalId: string): Promise<unknown>;
  remove(externalId: string): Promise<unknown>;
  /** What a relay does in one round. */
  relay(): Promise<unknown>;
  /** One look of the receiver's workflow: it sends what it may, until nothing moves. */
  lookAtReceiver(mayEnd?: boolean, onPause?: (ms: number) => unknown): Promise<ReceiverStep>;
  /** The same, until all that this process has begun is recorded. */
  work(): Promise<void>;
  /** What the workflow of a delivery does next; of the only delivery, unless the test names one. */
  attempt(id?: DeliveryId): Promise<AttemptAnswer>;
  close(): Promise<void>;
}

/** One account with one target, at a time that stands still unless it is moved. */
export interface DeliveryLife {
  readonly store: StoreConnection;
  readonly account: AccountId;
  /** Key of the target, as in deliveries. */
  readonly targetKey: string;
  readonly now: () => Date;
  /** Starts of workflows for deliveries, and the names of events that arrived, by whichever process. */
  readonly started: StartedDelivery[];
  /** Keys of the targets whose workflow was started or signalled. */
  readonly receivers: string[];
  readonly arrived: string[];
  /** What the receiver answers to an event of this name. */
  answer: (name: string) => AttemptOutcome | Promise<AttemptOutcome>;
  process(difference?: Difference): DeliveryProcess;
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
  { kind = 'endpoint', isProven = true }: { readonly kind?: 'endpoint' | 'url'; readonly isProven?: boolean } = {},
): Promise<DeliveryLife> {
  const account = accountId(randomUUID());
  const scope: Scope = { accountId: account, actingAccountId: account, credential: { kind: 'system' } };
  const clock = { ms: store.clock.now().getTime() };
  const now = (): Date => new Date(clock.ms);
  const addressPolicy = { allowPrivateNetworks: false };
  const context = { store, encryption, addressPolicy, now, newId: randomUUID, confirmCredential };
  const url = `https://${account}.example/hooks`;
  const endpoint = kind === 'endpoint' ? await createWebhook(context, scope, { url, eventTypes: [] }) : null;
  if (endpoint === null) await setWebhookUrl(context, scope, url);
  if (isProven)
    for (const name of ['webhook_endpoints', 'webhook_settings'])
      await store.connection
        .collection<{ _id: string }>(name)
        .updateOne(
          { $or: [{ accountId: account }, { _id: account }] },
          { $set: { queue: false, isProven: true, startAt: null } },
        );
  const targetKey = endpoint?.id ?? targetKeyOf({ accountId: account, endpointId: null });
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
    store,
    account,
    targetKey,
    now,
    started: [],
    receivers: [],
    arrived: [],
    answer: () => ok,
    process: (difference = {}) => startProcess(life, scope, difference),
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
      await store.connection.collection<{ _id: string }>('webhook_settings').deleteMany({ _id: account });
      for (const name of ['deliveries', 'items', 'webhook_endpoints'])
        await store.connection.collection(name).deleteMany({ accountId: account });
    },
  };
  return life;
}

const straight: Around = (_step, take) => take();

/** It knows what it has begun. */
class KnownDeliveries extends StoredDeliveries {
  readonly begun: Promise<void>[] = [];

  override send(first: FirstAttempt): Promise<void> {
    const sent = super.send(first);
    this.begun.push(sent);
    return sent;
  }
}

function startProcess(life: DeliveryLife, scope: Scope, difference: Difference): DeliveryProcess {
  const { account, now } = life;
  const { around = straight, isCommand = false } = difference;
  const store = aroundStore(life.store, around);
  const sender: WebhookSender = {
    send: ({ body }) =>
      around('send', async () => {
        const { data } = JSON.parse(body.toString('utf8')) as { data: { externalId: string } };
        life.arrived.push(data.externalId);
        return life.answer(data.externalId);
      }),
  };
  const orchestrator: Orchestrator = {
    signalItem: nothing,
    startBulkSync: nothing,
    startReceiver: async ({ target }) => void life.receivers.push(target),
    signalReceiver: async ({ target }) => void life.receivers.push(target),
    startDelivery: (delivery) =>
      around('start', async () => {
        life.started.push(delivery);
      }),
  };
  const starts = new WorkflowStarts({ orchestrator, logger });
  const parts = { store, starts, logger, now };
  const context: DeliveryContext = {
    ...parts,
    encryption: difference.encryption ?? encryption,
    sender,
    outcomes: new Outcomes(parts),
    slots: difference.slots ?? new ReceiverSlots({ now: () => now().getTime() }),
  };
  const stored = new KnownDeliveries(context);
  const plan = isCommand ? waitingDeliveries : () => stored.plan();
  const items = createItemStore(store, createAcceptor({ store, plan, start: () => undefined }));
  const newItemId = () => itemId(randomUUID());
  const writes = createItemWrites({ items, confirmCredential, newItemId, now });
  const lookAtReceiver: DeliveryProcess['lookAtReceiver'] = async (mayEnd = false, onPause = () => undefined) => {
    const idle = new AbortController();
    const pause = async (ms: number): Promise<void> => {
      await onPause(ms);
      await Promise.all(stored.begun);
      const left = await life.store.connection
        .collection('deliveries')
        .countDocuments({ accountId: account, waits: true });
      if (left === waiting) idle.abort();
      waiting = left;
    };
    let waiting = -1;
    const step = await workReceiver(
      { ...context, stored, pause },
      { target: { target: life.targetKey, accountId: account }, mayEnd, signal: idle.signal },
    );
    await Promise.all(stored.begun);
    return step;
  };
  return {
    happen: async (...names) => {
      const planned = plan();
      const made = await inTransaction(store, async (session) => {
        const targetsOf = await findTargets(store, [account], session);
        const events = names.map((name, ms) => ({
          ...aDueEvent(account, name),
          notBefore: new Date(now().getTime() + ms),
        }));
        const numbered = await insertEvents(store, events, { now: now(), session });
        const rows = numbered.flatMap((event) => planned.planDeliveries(event, targetsOf(account), now()));
        await insertDeliveries(store, rows, session);
        return rows;
      });
      planned.onStored(made);
      planned.drop();
    },
    push: (externalId) => writes.upsert(scope, { externalId, request: anItemRequest() }),
    remove: (externalId) => writes.remove(scope, { externalId }),
    relay: () => new Relay({ store, starts, beginRecoveries: nothing, sendMails: nothing, now }).round(),
    lookAtReceiver,
    work: async () => {
      await Promise.all(stored.begun);
      await lookAtReceiver();
    },
    attempt: async (id) => attemptNext(context, life, id ?? (await onlyDelivery(life))),
    close: () => stored.close(),
  };
}

/** As workflows/deliveries/deliver-event.ts: the activity's next call, and the count after the last attempt. */
async function attemptNext(context: DeliveryContext, life: DeliveryLife, id: DeliveryId): Promise<AttemptAnswer> {
  const [row] = await life.deliveries({ _id: id });
  const key = { _id: id, accountId: life.account };
  const made = row?.attempts ?? 0;
  // The first attempt is no workflow's; of the others one that has no outcome yet is asked for again.
  const attempt = made > 1 && row?.retryAt === null ? made : made + 1;
  const answer = attempt > attemptsMax ? 'failed' : await attemptDelivery(context, key, attempt);
  if (answer !== 'failed' || attempt < attemptsMax) return answer;
  await countFailure(context, key);
  return 'closed';
}

const nothing = (): Promise<void> => Promise.resolve();

async function onlyDelivery(life: DeliveryLife): Promise<DeliveryId> {
  const [delivery, ...others] = await life.deliveries();
  if (delivery === undefined || others.length > 0) throw new Error('there is not one delivery');
  return delivery._id;
}
