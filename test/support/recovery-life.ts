import { randomUUID } from 'node:crypto';
import { accountId, endpointId, type AccountId, type DeliveryId, type EndpointId } from '../../features/rules/ids.ts';
import type { Scope } from '../../features/rules/scope.ts';
import type { Recovery } from '../../features/webhooks/rules/recovery.ts';
import type { AttemptOutcome, WebhookSender } from '../../gateways/webhook-sender/port.ts';
import type { WebhookChange } from '../../schemas/webhooks/webhook-endpoint.ts';
import { createEncryption } from '../../platform/security/encryption.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import type { Delivery } from '../../features/webhooks/store/deliveries.ts';
import type { WebhookEndpointRow } from '../../features/webhooks/store/webhook-endpoints.ts';
import { attemptDelivery, countFailure } from '../../features/webhooks/attempt-delivery.ts';
import type { DeliveryContext } from '../../features/webhooks/prepare-attempt.ts';
import { ReceiverSlots, type AttemptPermit } from '../../features/webhooks/receiver-slots.ts';
import { Outcomes } from '../../features/webhooks/record-outcome.ts';
import { StoredDeliveries } from '../../features/webhooks/send-stored.ts';
import { beginDueRecoveries } from '../../features/webhooks/begin-due-recoveries.ts';
import { recoverTarget, type RecoveryView } from '../../features/webhooks/recover-target.ts';
import { sendMissed, type MissedStep } from '../../features/webhooks/send-missed.ts';
import { changeWebhook } from '../../features/webhooks/manage-webhooks.ts';
import { workReceiver, type ReceiverStep } from '../../features/webhooks/work-receiver.ts';
import { createWebhook, sendTestEvent } from '../../features/webhooks/register-webhook.ts';
import { redeliver, type MadeDelivery } from '../../features/webhooks/webhook-deliveries.ts';
import { Relay } from '../../features/relay/relay.ts';
import { WorkflowStarts } from '../../features/relay/start-workflows.ts';
import { hintsOfCommand } from '../../compose/starts.ts';
import type { Hints } from '../../features/context.ts';
import { createLogger } from '../../platform/logger.ts';
import { aroundStore, type Around } from './around-store.ts';
import { aDueEvent, storeEvents } from './stored-events.ts';
import { ok } from './delivery-life.ts';
import { createPlayedEngine, type PlayedClock, type PlayedEngine, type Steps } from './played-engine.ts';

/** Where a process differs from a sound one. */
export interface Difference {
  /** Runs at each of its writes, and as `send` at each request. */
  readonly around?: Around;
  /** Runs at each transaction of its own: see {@link tapped}. */
  readonly tap?: Tap;
  /** Instead of the pause between two events of a recovery. */
  readonly pause?: () => Promise<void>;
  readonly newId?: () => string;
}

/** The use cases of one process. */
export interface RecoveryProcess extends Steps {
  change(change: WebhookChange): Promise<unknown>;
  recover(since?: Date): Promise<RecoveryView>;
  redeliver(id: string): Promise<MadeDelivery>;
  sendTest(): Promise<MadeDelivery>;
  /** One step of the running recovery. */
  sendMissed(): Promise<MissedStep>;
}

/** A request that the receiver got, and what it answered. */
export interface Arrival {
  readonly name: string;
  readonly account: Readonly<Record<string, unknown>>;
  readonly succeeded: boolean;
  /** An object of this request alone. */
  readonly outcome: AttemptOutcome;
  readonly at: number;
}

/** One account with one endpoint, a receiver, an engine and a clock. */
export interface RecoveryLife {
  readonly store: StoreConnection;
  readonly account: AccountId;
  readonly scope: Scope;
  readonly endpoint: EndpointId;
  readonly clock: PlayedClock;
  readonly engine: PlayedEngine;
  readonly arrived: Arrival[];
  /** What the receiver answers to an event of this name. */
  answer: (name: string) => AttemptOutcome | Promise<AttemptOutcome>;
  /** Names of what got through, in order. */
  got(): string[];
  process(difference?: Difference): RecoveryProcess;
  /** Stores one event for each name, each in a transaction of its own, now unless said otherwise. */
  happen(names: readonly string[], about?: AccountId, at?: Date): Promise<void>;
  pass(ms: number, steps?: () => Steps): Promise<void>;
  row(): Promise<WebhookEndpointRow>;
  deliveries(filter?: object): Promise<Delivery[]>;
  recoveries(): Promise<Recovery[]>;
  /** Takes what it has away, so that the sweeps of the next life don't find it. */
  close(): Promise<void>;
}

export const answered = (httpStatus: number): AttemptOutcome => ({
  kind: 'failed',
  gone: httpStatus === 410,
  httpStatus,
  error: `HTTP ${httpStatus}`,
  durationMs: 3,
  responseStart: '',
});

export const names = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${prefix}${String(n).padStart(3, '0')}`);

const encryption = createEncryption([{ id: 'test', secret: Buffer.alloc(32, 7).toString('base64') }]);

export interface LifeWish {
  readonly autoRecover?: boolean;
  readonly scope?: 'self' | 'members';
  readonly isCrash?: (error: unknown) => boolean;
  /** By how much the clock moves at each look. */
  readonly tickMs?: number;
}

export async function startRecoveryLife(store: StoreConnection, wish: LifeWish = {}): Promise<RecoveryLife> {
  const account = accountId(randomUUID());
  const scope: Scope = { accountId: account, actingAccountId: account, credential: { kind: 'system' } };
  const clock: PlayedClock = { ms: Date.parse('2026-11-21T12:00:00Z') };
  const now = (): Date => new Date((clock.ms += wish.tickMs ?? 0));
  const engine = createPlayedEngine(store, clock, wish.isCrash);
  const rows = <Row extends object>(name: string, filter: object = {}): Promise<Row[]> =>
    store.connection
      .collection(name)
      .find<Row>({ accountId: account, ...filter })
      .sort({ createdAt: 1, eventAt: 1, sequence: 1, ordinal: 1, _id: 1 })
      .toArray();
  const context = {
    store,
    encryption,
    addressPolicy: { allowPrivateNetworks: false },
    now,
    newId: randomUUID,
    confirmCredential: () => Promise.resolve(),
    hints: hintsOfLife(engine),
  };
  const { id } = await createWebhook(context, scope, {
    url: 'https://erp.example/hooks',
    eventTypes: [],
    autoRecover: wish.autoRecover ?? false,
  });
  const endpoint = endpointId(id);
  const byId = { _id: endpoint as never };
  // It was registered in the time of the life, not in the database's, and has answered before.
  const proven = { queue: false, isProven: true };
  const registered = { createdAt: new Date(clock.ms), scope: wish.scope ?? 'self', ...proven };
  await store.connection.collection('webhook_endpoints').updateOne(byId, { $set: registered });
  const sender: WebhookSender = {
    send: async (attempt) => {
      const { data } = JSON.parse(attempt.body.toString('utf8')) as {
        data: { externalId: string; account: Record<string, unknown> };
      };
      const outcome = { ...(await life.answer(data.externalId)) };
      const succeeded = outcome.kind === 'succeeded';
      life.arrived.push({ name: data.externalId, account: data.account, succeeded, outcome, at: clock.ms });
      return outcome;
    },
  };
  const life: RecoveryLife = {
    store,
    account,
    scope,
    endpoint,
    clock,
    engine,
    arrived: [],
    answer: () => ok,
    got: () => life.arrived.filter(({ succeeded }) => succeeded).map(({ name }) => name),
    process: (difference = {}) => startProcess({ life, context, sender }, difference),
    happen: async (events, about = account, at) => {
      for (const name of events) {
        // So that their order is known.
        clock.ms += 1;
        await storeEvents(store, [aDueEvent(about, name)], at ?? now());
      }
      engine.hurry();
    },
    pass: (ms, steps) => {
      const process = life.process();
      return engine.pass(ms, steps ?? (() => process));
    },
    row: async () => {
      const [row] = await rows<WebhookEndpointRow>('webhook_endpoints');
      if (row === undefined) throw new Error('the endpoint is gone');
      return row;
    },
    deliveries: (filter) => rows<Delivery>('deliveries', filter),
    recoveries: () => rows<Recovery>('webhook_recoveries'),
    close: async () => {
      for (const name of ['deliveries', 'webhook_recoveries', 'webhook_endpoints'])
        await store.connection.collection(name).deleteMany({ accountId: account });
    },
  };
  return life;
}

const hintsOfLife = (engine: PlayedEngine): Hints => ({
  ...hintsOfCommand,
  signalReceiver: () => engine.hurry(),
  deliverySoon: () => engine.hurry(),
});

interface Surroundings {
  readonly life: RecoveryLife;
  readonly context: Parameters<typeof createWebhook>[0] & Parameters<typeof recoverTarget>[0];
  readonly sender: WebhookSender;
}

/** The pause between two events of a recovery. */
const betweenMissedMs = 50;

/** Which places there are is another matter: everything here has one. */
class AmpleSlots extends ReceiverSlots {
  override reserve = (): AttemptPermit => ({ send: (attempt) => attempt(), release: () => undefined });
  override free = (): number => Infinity;
}

function startProcess({ life, context: sound, sender }: Surroundings, difference: Difference): RecoveryProcess {
  const { engine, account, scope, endpoint, clock } = life;
  const { now } = sound;
  const around: Around = difference.around ?? ((_step, take) => take());
  let underWay = 0;
  const counted: Around = async (step, take) => {
    underWay += 1;
    try {
      return await around(step, take);
    } finally {
      underWay -= 1;
    }
  };
  const own = aroundStore(sound.store, counted);
  const store = difference.tap === undefined ? own : tapped(own, difference.tap);
  const context = { ...sound, store, newId: difference.newId ?? sound.newId };
  const logger = createLogger('test', 'fatal');
  const nothing = (): Promise<void> => Promise.resolve();
  const starts = new WorkflowStarts({
    orchestrator: { ...engine.orchestrator, signalItem: nothing, startBulkSync: nothing },
    logger,
  });
  const parts = { store, starts, logger, now };
  const sending: DeliveryContext = {
    ...parts,
    encryption,
    slots: new AmpleSlots(),
    outcomes: new Outcomes(parts),
    sender: { send: (attempt) => counted('send', () => sender.send(attempt)) },
  };
  const stored = new StoredDeliveries(sending);
  const relay = new Relay({
    store,
    starts,
    now,
    sendMails: nothing,
    beginRecoveries: () => beginDueRecoveries(store, now),
  });
  const target = { target: endpoint, accountId: account };
  /** A call of the activity ends when it would wait, so that others have their turn on the played clock. */
  const work = async (mayEnd: boolean): Promise<ReceiverStep> => {
    const waits = new AbortController();
    const pause = async (ms: number): Promise<void> => {
      clock.ms += ms;
      if (ms !== betweenMissedMs) waits.abort();
      await difference.pause?.();
    };
    const receiving = { ...sending, stored, pause };
    const step = await workReceiver(receiving, { target, mayEnd, signal: waits.signal });
    await untilIdle();
    return step;
  };
  /** What it has begun is recorded, or it has died. */
  const untilIdle = async (): Promise<void> => {
    for (let idle = 0; idle < 3; idle = underWay === 0 ? idle + 1 : 0) await new Promise(setImmediate);
  };
  return {
    attempt: (_id, attempt) => attemptDelivery(sending, { _id, accountId: target.accountId }, attempt),
    countFailure: (_id) => countFailure(sending, { _id, accountId: target.accountId }),
    workReceiver: work,
    sendMissed: () => sendMissed(sending, target),
    sweep: () => relay.round(),
    change: (change) => changeWebhook(context, scope, { endpointId: endpoint, change }),
    recover: (since = new Date(clock.ms - 24 * 3_600_000)) =>
      recoverTarget(context, scope, { endpointId: endpoint, since }),
    redeliver: (id) => redeliver(context, scope, id),
    sendTest: () => sendTestEvent(context, scope, { endpointId: endpoint, eventType: undefined }),
  };
}

/** `before` anything of a transaction, at its `commit`, and `after` it: whatever it throws there, the process does not get beyond. */
export type Tap = (at: 'before' | 'commit' | 'after') => Promise<void> | void;

/** The same database for a process that can be stopped at its transactions. What it throws at `commit` undoes the transaction. */
export function tapped(store: StoreConnection, tap: Tap): StoreConnection {
  const startSession: typeof store.connection.startSession = async (...given) => {
    const session = await store.connection.startSession(...given);
    const withTransaction = session.withTransaction.bind(session);
    session.withTransaction = async (work, options) => {
      await tap('before');
      const result = await withTransaction(async (own) => {
        const made = await work(own);
        await tap('commit');
        return made;
      }, options);
      await tap('after');
      return result;
    };
    return session;
  };
  const connection = new Proxy(store.connection, {
    get: (target, key) => {
      if (key === 'startSession') return startSession;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return { ...store, connection };
}

/** The first delivery of an event, by the item's name. */
export async function firstOf(life: RecoveryLife, name: string): Promise<DeliveryId> {
  const [first] = await life.deliveries({ externalId: name, ordinal: 1 });
  if (first === undefined) throw new Error(`no event of ${name}`);
  return first._id;
}

/** Links an account to the life's one as its member. */
export async function addMember(life: RecoveryLife, reference: string): Promise<AccountId> {
  const member = accountId(randomUUID());
  const at = new Date(life.clock.ms);
  const row = { resellerAccountId: life.account, memberAccountId: member, externalId: reference };
  await life.store.connection
    .collection<{ _id: string }>('member_connections')
    .insertOne({ _id: randomUUID(), ...row, createdAt: at, updatedAt: at } as { _id: string });
  return member;
}

export const removeMember = (life: RecoveryLife, member: AccountId): Promise<unknown> =>
  life.store.connection.collection('member_connections').deleteOne({ memberAccountId: member });
